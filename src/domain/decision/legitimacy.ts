/** Legitimacy: a score of 0 to 100 for a candidate action, with its band and reasoning (docs/formulas.md, "Legitimacy"). */

import { clamp, round } from '../stats/unit-scale.ts';
import { HOUR } from '../time/sgt.ts';
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

/** The score is monotone in each factor: alignment and value raise it, fatigue, saturation and pressure lower it. */
const weights: Record<keyof LegitimacyFactors, number> = {
  environmental_alignment: 40,
  expected_value: 45,
  fatigue: -25,
  saturation: -30,
  merchant_pressure: -10,
};
const BASE = 18;

export function legitimacyOf(
  factors: LegitimacyFactors,
  moment: Pick<Moment, 'should_stay_silent' | 'silence_reasons'>,
): Legitimacy {
  const raw = legitimacyFactors.reduce((sum, factor) => sum + weights[factor] * factors[factor], BASE);
  const legitimacy_score = round(clamp(raw, 0, 100), 1);
  const band = bandOf(legitimacy_score);
  const overrides = overridesOf(factors, moment);
  return {
    legitimacy_score,
    band,
    recommendation: overrides.length ? 'remain_silent' : recommendationFor[band],
    reasoning: [...overrides, ...reasoningOf(factors)],
    factors,
  };
}

export const bandOf = (score: number): LegitimacyBand =>
  score >= EMIT_THRESHOLD ? 'legitimate' : score >= BORDERLINE ? 'borderline' : 'remain_silent';

const recommendationFor: Record<LegitimacyBand, Recommendation> = {
  legitimate: 'emit',
  borderline: 'borderline_remain_silent',
  remain_silent: 'remain_silent',
};

function overridesOf(
  factors: LegitimacyFactors,
  moment: Pick<Moment, 'should_stay_silent' | 'silence_reasons'>,
): string[] {
  const overrides = moment.should_stay_silent
    ? [`the moment asks for silence: ${moment.silence_reasons.join('; ')}`]
    : [];
  if (factors.fatigue > FATIGUE_LIMIT)
    overrides.push(`fatigue ${factors.fatigue} is over ${FATIGUE_LIMIT}: silence is forced`);
  if (factors.saturation > SATURATION_LIMIT) {
    overrides.push(`saturation ${factors.saturation} is over ${SATURATION_LIMIT}: silence is forced`);
  }
  return overrides;
}

/** Wording of one factor by its size. */
interface FactorTexts {
  little: string;
  some: string;
  much: string;
  /** `some` from the first bound on, `much` from the second. */
  bounds: [number, number];
}

const factorTexts: Record<keyof LegitimacyFactors, FactorTexts> = {
  environmental_alignment: {
    little: 'the surroundings do not support it',
    some: 'the surroundings neither help nor hinder',
    much: 'the surroundings support it',
    bounds: [0.45, 0.7],
  },
  expected_value: {
    little: 'little would be gained',
    some: 'something would be gained',
    much: 'much would be gained',
    bounds: [0.35, 0.65],
  },
  fatigue: {
    little: 'attention is rested',
    some: 'attention is somewhat tired',
    much: 'attention is tired',
    bounds: [0.3, 0.6],
  },
  saturation: {
    little: 'little or nothing was said here lately',
    some: 'something was said here lately',
    much: 'much was said here lately',
    bounds: [0.08, 0.3],
  },
  merchant_pressure: {
    little: 'no outlet presses for it',
    some: 'there is room that an outlet could fill',
    much: 'it would serve an idle outlet first',
    bounds: [0.15, 0.5],
  },
};

/** The wording for a factor of this size. */
export function factorText(factor: keyof LegitimacyFactors, score: number): string {
  const { little, some, much, bounds } = factorTexts[factor];
  return score < bounds[0] ? little : score < bounds[1] ? some : much;
}

/** One line per factor, the one that costs the score most first. */
function reasoningOf(factors: LegitimacyFactors): string[] {
  return [...legitimacyFactors]
    .sort((a, b) => costOf(factors, b) - costOf(factors, a))
    .map((factor) => `${factor} ${factors[factor]}: ${factorText(factor, factors[factor])}`);
}

/** Points that a factor costs compared with its best value. */
const costOf = (factors: LegitimacyFactors, factor: keyof LegitimacyFactors): number =>
  Math.abs(weights[factor]) * Math.abs(factors[factor] - (weights[factor] > 0 ? 1 : 0));

/** The factor that costs the score most. */
export const dominantFactor = (factors: LegitimacyFactors): keyof LegitimacyFactors =>
  legitimacyFactors.reduce((best, factor) =>
    costOf(factors, factor) > costOf(factors, best) ? factor : best,
  );

export const environmentalAlignment = (calm_probability: number, movement_friction: number): number =>
  round(clamp(0.5 * calm_probability + 0.5 * (1 - movement_friction)));

/** `worth` is usefulness × user_need. */
export const expectedValue = (worth: number): number => round(clamp(worth * 1.2));

/** Unused capacity counts as commercial pressure to speak, which lowers legitimacy. */
export const merchantPressure = (spare_capacity: number | null): number => round(0.5 * (spare_capacity ?? 0));

const DISMISSAL_HALF_LIFE = 6 * HOUR;
/** Fatigue of a person without recent dismissals. It is the minimum: no person has 0. */
const RESTED = 0.15;

/** Fatigue of the person addressed: as given, else decaying since their last dismissal, else the minimum. */
export function fatigueOf(
  context: { fatigue_score?: number; last_dismissal_at?: number },
  now: number,
): number {
  if (context.fatigue_score !== undefined) return context.fatigue_score;
  if (context.last_dismissal_at === undefined) return RESTED;
  const age = Math.max(0, now - context.last_dismissal_at);
  return round(Math.max(RESTED, 2 ** (-age / DISMISSAL_HALF_LIFE)));
}
