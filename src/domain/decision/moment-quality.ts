/** MQS, the Moment Quality Score: whether a moment is worth breaking silence (docs/formulas.md, "Moment quality"). */

import { clamp, ramp, round } from '../stats/unit-scale.ts';
import { MINUTE } from '../time/slot.ts';
import type { Moment } from './moment.ts';

export const mqsFactors = ['usefulness', 'urgency', 'calmness', 'merchant_fit', 'user_need'] as const;
export type MqsFactor = (typeof mqsFactors)[number];
export const mqsBands = ['silent', 'weak', 'forming', 'high_resonance', 'peak', 'decaying'] as const;
export type MqsBand = (typeof mqsBands)[number];

/** `merchant_fit` is null where nothing is known of outlets: it is then no factor of the product. */
export type FactorScores = Record<Exclude<MqsFactor, 'merchant_fit'>, number> & {
  merchant_fit: number | null;
};

/** Whether a moment is worth breaking silence: the product of five factors. */
export interface MomentQuality {
  mqs: number;
  band: MqsBand;
  factors: FactorScores;
  previous_mqs: number | null;
  reasons: string[];
}

export interface MqsInput {
  moment: Moment;
  now: number;
  /** The hour of the local clock, with the fraction. */
  hour: number;
  stress: number;
  /** Mean stress of this pocket in this hour of the week; null while too little was seen. */
  usual_stress: number | null;
  /** Since when the pocket has been in its state. */
  since: number;
  /** How full the pocket is, as a share of its peak. */
  crowd: number;
  /** Mean spare capacity of the open outlets, 0..1; null when none is open. */
  spare_capacity: number | null;
  /** Whether it is known how full the outlets are, or that none is open. */
  merchants_known: boolean;
  /** Whether the resonance of the moment reaches its threshold: the band high_resonance is given only where it does. */
  resonates: boolean;
  previous: { mqs: number | null /** The highest of the last hour. */; recent_high: number };
}

export function momentQuality(input: MqsInput): MomentQuality {
  const factors = qualityFactors(input);
  const mqs = round(
    Object.values(factors).reduce<number>(
      (product, factor) => (factor === null ? product : product * factor),
      1,
    ),
    4,
  );
  return {
    mqs,
    band: mqsBand(mqs, input.previous.recent_high, input.resonates),
    factors,
    previous_mqs: input.previous.mqs,
    reasons: mqsReasons(factors, input.moment.silence_reasons),
  };
}

function qualityFactors({
  moment,
  now,
  hour,
  stress,
  usual_stress,
  since,
  crowd,
  spare_capacity,
  merchants_known,
}: MqsInput): FactorScores {
  const contrast = usual_stress === null ? 0 : Math.abs(stress - usual_stress);
  const fresh = 1 - ramp(now - since, 30 * MINUTE, 180 * MINUTE);
  const awake = awakeness(hour);
  return {
    usefulness: round(clamp(0.45 + 2 * contrast + 0.35 * fresh)),
    urgency: round(
      ramp(moment.half_life_minutes, 8, 25) * (1 - 0.5 * ramp(moment.half_life_minutes, 60, 180)),
    ),
    calmness: round(moment.calm_probability),
    merchant_fit: merchants_known
      ? round(spare_capacity === null ? 0.5 : 0.45 + 0.55 * spare_capacity)
      : null,
    user_need: round(awake * (0.35 + 0.65 * ramp(crowd, 0.08, 0.5))),
  };
}

/** 1 through the waking day, 0 in the small hours. */
export const awakeness = (hour: number): number => Math.min(ramp(hour, 6, 8.5), ramp(hour, 23.5, 21.5));

/** Lower bounds. Most moments of a simulated month are silent or weak, few are a peak. */
const bands = [
  ['peak', 0.5],
  ['high_resonance', 0.32],
  ['forming', 0.15],
  ['weak', 0.04],
] as const;
/** Only a moment that reached high_resonance can decay. */
const HIGH = 0.32;
/** A moment decays when it has less than this share of its recent high. */
const FALLEN = 0.6;

export function mqsBand(mqs: number, recentHigh: number, resonates: boolean): MqsBand {
  if (recentHigh >= HIGH && mqs < FALLEN * recentHigh) return 'decaying';
  const band = bands.find(([, least]) => mqs >= least)?.[0] ?? 'silent';
  return band === 'high_resonance' && !resonates ? 'forming' : band;
}

const factorTexts: Record<MqsFactor, [low: string, high: string]> = {
  usefulness: [
    'little here differs from an ordinary hour',
    'there is something to tell: the hour is unlike its usual self, or has just changed',
  ],
  urgency: ['nothing presses: the window is long, or nearly over', 'the window is open and will not stay so'],
  calmness: ['it is not calm', 'it is calm'],
  merchant_fit: ['the outlets are full or closed', 'the outlets have room'],
  user_need: ['few people are about to whom it would matter', 'people are about to whom it would matter'],
};
/** Factors below this are described as low. merchant_fit has its own bound because it is 0.5 with no outlet open. */
const LOW = 0.5;
const LOW_FIT = 0.65;

const factorText = (factor: MqsFactor, score: number): string =>
  factorTexts[factor][score < (factor === 'merchant_fit' ? LOW_FIT : LOW) ? 0 : 1];

/** The lowest factor first, since it decides the product; then the highest; then the reasons for silence. */
export function mqsReasons(factors: FactorScores, silenceReasons: readonly string[]): string[] {
  const ranked = mqsFactors
    .flatMap((factor) => {
      const score = factors[factor];
      return score === null ? [] : [{ factor, score }];
    })
    .sort((a, b) => a.score - b.score);
  const [lowest, highest] = [ranked[0], ranked.at(-1)];
  return [
    ...(lowest ? [`${lowest.factor} decides: ${factorText(lowest.factor, lowest.score)}`] : []),
    ...(highest ? [`${highest.factor} is strongest: ${factorText(highest.factor, highest.score)}`] : []),
    ...silenceReasons,
  ];
}
