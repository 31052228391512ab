/** Legitimacy: a score of 0 to 100 for a candidate action, with its band and reasoning (docs/formulas.md, "Legitimacy"). */

import { clamp, round } from '../stats/unit-scale.ts';
import { type Moment, SATURATION_LIMIT } from './moment.ts';

export const legitimacyFactors = [
  'environmental_alignment',
  'fatigue',
  'saturation',
  'merchant_pressure',
  'expected_value',
] as const;
export type LegitimacyFactors = Record<(typeof legitimacyFactors)[number], number>;
export const legitimacyBands = ['legitimate', 'borderline', 'remain_silent'] as const;
export type LegitimacyBand = (typeof legitimacyBands)[number];
export const recommendations = ['emit', 'borderline_remain_silent', 'remain_silent'] as const;
export type Recommendation = (typeof recommendations)[number];

/** The contract's bands and its limit of fatigue. */
export const EMIT_THRESHOLD = 70;
const BORDERLINE = 40;
const FATIGUE_LIMIT = 0.85;

export interface Legitimacy {
  legitimacy_score: number;
  band: LegitimacyBand;
  recommendation: Recommendation;
  reasoning: string[];
  factors: LegitimacyFactors;
}

/**
 * The score is monotone in each factor: alignment and value raise it, fatigue, saturation and pressure lower it. The
 * contract gives no weights; these are chosen so that full alignment and value in a rested pocket just reach 100.
 */
const weights: Record<keyof LegitimacyFactors, number> = {
  environmental_alignment: 40,
  expected_value: 45,
  fatigue: -25,
  saturation: -30,
  merchant_pressure: -10,
};
const BASE = 18;

export function computeLegitimacy(
  factors: LegitimacyFactors,
  moment: Pick<Moment, 'should_stay_silent' | 'silence_reasons'>,
): Legitimacy {
  const raw = legitimacyFactors.reduce((sum, factor) => sum + weights[factor] * factors[factor], BASE);
  const legitimacy_score = round(clamp(raw, 0, 100), 1);
  const band = legitimacyBandAt(legitimacy_score);
  const overrides = silenceOverrides(factors, moment);
  return {
    legitimacy_score,
    band,
    recommendation: overrides.length ? 'remain_silent' : recommendationFor[band],
    reasoning: [...overrides, ...factorReasoning(factors)],
    factors,
  };
}

export const legitimacyBandAt = (score: number): LegitimacyBand =>
  score >= EMIT_THRESHOLD ? 'legitimate' : score >= BORDERLINE ? 'borderline' : 'remain_silent';

const recommendationFor: Record<LegitimacyBand, Recommendation> = {
  legitimate: 'emit',
  borderline: 'borderline_remain_silent',
  remain_silent: 'remain_silent',
};

function silenceOverrides(
  factors: LegitimacyFactors,
  moment: Pick<Moment, 'should_stay_silent' | 'silence_reasons'>,
): string[] {
  const overrides = moment.should_stay_silent
    ? [`the moment asks for silence: ${moment.silence_reasons.join('; ')}`]
    : [];
  if (factors.fatigue > FATIGUE_LIMIT) overrides.push('fatigue is over its limit: silence is forced');
  if (factors.saturation > SATURATION_LIMIT)
    overrides.push('saturation is over its limit: silence is forced');
  return overrides;
}

/** What a factor of some size means, from where it costs nothing to where it costs all of its points. */
interface FactorTexts {
  free: string;
  some: string;
  dear: string;
  /** Shares of the factor's points: `some` from the first on, `dear` from the second. */
  bounds: [number, number];
}

const factorTexts: Record<keyof LegitimacyFactors, FactorTexts> = {
  environmental_alignment: {
    free: 'the surroundings support it',
    some: 'the surroundings help only in part',
    dear: 'the surroundings do not support it',
    bounds: [0.3, 0.55],
  },
  expected_value: {
    free: 'nearly all that a line can bring',
    some: 'part of what a line can bring',
    dear: 'little of what a line can bring',
    bounds: [0.2, 0.65],
  },
  fatigue: {
    free: 'attention is rested',
    some: 'attention is somewhat tired',
    dear: 'attention is tired',
    bounds: [0.3, 0.6],
  },
  saturation: {
    free: 'little or nothing was said here lately',
    some: 'something was said here lately',
    dear: 'much was said here lately',
    bounds: [0.08, 0.3],
  },
  merchant_pressure: {
    free: 'no outlet presses for it',
    some: 'outlets have room they could fill',
    dear: 'it would serve an idle outlet first',
    bounds: [0.15, 0.5],
  },
};

/** Share of a factor's points that it costs compared with its best value. */
const costShare = (factors: LegitimacyFactors, factor: keyof LegitimacyFactors): number =>
  weights[factor] > 0 ? 1 - factors[factor] : factors[factor];

export const scoreCost = (factors: LegitimacyFactors, factor: keyof LegitimacyFactors): number =>
  Math.abs(weights[factor]) * costShare(factors, factor);

/** Points that a factor costs, of how many, and what its size means; the words agree with the cost. */
export function factorCost(factors: LegitimacyFactors, factor: keyof LegitimacyFactors) {
  const share = costShare(factors, factor);
  const { free, some, dear, bounds } = factorTexts[factor];
  const cost = scoreCost(factors, factor);
  return {
    points: round(cost, 1),
    inWords: cost === 0 ? 'none' : cost < 1 ? 'under 1' : String(Math.round(cost)),
    most: Math.abs(weights[factor]),
    text: share < bounds[0] ? free : share < bounds[1] ? some : dear,
  };
}

/** One line per factor, the one that costs the score most first. */
function factorReasoning(factors: LegitimacyFactors): string[] {
  return [...legitimacyFactors]
    .sort((a, b) => scoreCost(factors, b) - scoreCost(factors, a))
    .map((factor) => {
      const { inWords, most, text } = factorCost(factors, factor);
      return `${factor} costs ${inWords} of ${most} points: ${text}`;
    });
}

/** The factor that costs the score most. */
export const dominantFactor = (factors: LegitimacyFactors): keyof LegitimacyFactors =>
  legitimacyFactors.reduce((best, factor) =>
    scoreCost(factors, factor) > scoreCost(factors, best) ? factor : best,
  );

/** Of calm and the way there alike; of calm alone where nothing about the way was measured. */
export const environmentalAlignment = (calm_probability: number, movement_friction: number | null): number =>
  round(
    clamp(
      movement_friction === null ? calm_probability : 0.5 * calm_probability + 0.5 * (1 - movement_friction),
    ),
  );

/** `worth` is usefulness × user_need. */
export const expectedValue = (worth: number): number => round(clamp(worth * 1.2));

/** Unused capacity counts as commercial pressure to speak, which lowers legitimacy. */
export const merchantPressure = (spare_capacity: number | null): number => round(0.5 * (spare_capacity ?? 0));
