import { type Moment, SATURATION_LIMIT } from './moment.ts';
import { clamp, round } from './scale.ts';
import { HOUR } from './sgt.ts';

export const legitimacyFactors = [
  'environmental_alignment',
  'fatigue',
  'saturation',
  'merchant_pressure',
  'expected_value',
] as const;
export type LegitimacyFactors = Record<(typeof legitimacyFactors)[number], number>;
export type LegitimacyBand = 'legitimate' | 'borderline' | 'remain_silent';
export type Recommendation = 'emit' | 'borderline_remain_silent' | 'remain_silent';

export const EMIT_THRESHOLD = 70;
const BORDERLINE = 40;
export const FATIGUE_LIMIT = 0.85;

export interface Legitimacy {
  legitimacy_score: number;
  band: LegitimacyBand;
  recommendation: Recommendation;
  reasoning: string[];
  factors: LegitimacyFactors;
}

/** Each factor pulls one way only: alignment and value raise the score, fatigue, saturation and pressure lower it. */
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
    recommendation: overrides.length ? 'remain_silent' : recommendations[band],
    reasoning: [...overrides, ...reasoningOf(factors)],
    factors,
  };
}

export const bandOf = (score: number): LegitimacyBand =>
  score >= EMIT_THRESHOLD ? 'legitimate' : score >= BORDERLINE ? 'borderline' : 'remain_silent';

const recommendations: Record<LegitimacyBand, Recommendation> = {
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

const phrases: Record<keyof LegitimacyFactors, [little: string, much: string]> = {
  environmental_alignment: ['the surroundings do not support it', 'the surroundings support it'],
  expected_value: ['little would be gained', 'something would be gained'],
  fatigue: ['attention is rested', 'attention is tired'],
  saturation: ['little was said here lately', 'much was said here lately'],
  merchant_pressure: ['no outlet presses for it', 'it would serve an idle outlet first'],
};

/** What moves the score most, first. */
function reasoningOf(factors: LegitimacyFactors): string[] {
  return [...legitimacyFactors]
    .sort((a, b) => pull(factors, b) - pull(factors, a))
    .map((factor) => `${factor} ${factors[factor]}: ${phrases[factor][factors[factor] < 0.5 ? 0 : 1]}`);
}

/** How far a factor is from what would leave the score where it is at best or worst. */
const pull = (factors: LegitimacyFactors, factor: keyof LegitimacyFactors): number =>
  Math.abs(weights[factor]) * Math.abs(factors[factor] - (weights[factor] > 0 ? 1 : 0));

/** The factor that moves the score most. */
export const dominantFactor = (factors: LegitimacyFactors): keyof LegitimacyFactors =>
  legitimacyFactors.reduce((best, factor) => (pull(factors, factor) > pull(factors, best) ? factor : best));

const DISMISSAL_HALF_LIFE = 6 * HOUR;
const RESTED = 0.15;

/** Fatigue of whoever would be spoken to: as given, else from when they last waved something away, else rested. */
export function fatigueOf(
  context: { fatigue_score?: number; last_dismissal_at?: number },
  now: number,
): number {
  if (context.fatigue_score !== undefined) return context.fatigue_score;
  if (context.last_dismissal_at === undefined) return RESTED;
  const age = Math.max(0, now - context.last_dismissal_at);
  return round(Math.max(RESTED, 2 ** (-age / DISMISSAL_HALF_LIFE)));
}
