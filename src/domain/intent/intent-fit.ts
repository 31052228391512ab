import type { Intent, Need } from '../city/city.ts';
import { clamp, ramp } from '../stats/unit-scale.ts';
import { alignmentBound, type IntentPresent, type Qualities } from './intent-needs.ts';

const qualities = ['calm', 'stress', 'social_energy', 'productive'] as const;

/** Alignment from which a pocket suits an intent, and from which it does so in part: a judgement. */
export const SUITS = 0.55;
export const SUITS_IN_PART = 0.3;

export interface IntentFit {
  /** 0..1. */
  alignment: number;
  /** The need that keeps the alignment below what everything else would give; null where none does. */
  lacks: Need | null;
}

/** How well a pocket suits an intent (docs/formulas.md, "Intent alignment"): a mean, which no need lets above its bound. */
export function intentFit(intent: Intent, present: IntentPresent): IntentFit {
  const { atmosphere, rain, hour } = present;
  const hours = hourFit(intent.hours, hour);
  let alignment =
    hours === 0 ? 0 : clamp(atmosphereFit(intent, atmosphere) * weatherFit(intent, rain) * hours);
  let lacks: Need | null = null;
  for (const need of intent.needs ?? []) {
    const bound = alignmentBound(need, intent, present);
    if (bound >= alignment) continue;
    alignment = bound;
    lacks = need;
  }
  return { alignment, lacks };
}

export const intentAlignment = (intent: Intent, present: IntentPresent): number =>
  intentFit(intent, present).alignment;

/** How far the qualities are as the intent wants them, 0..1; 0.5 for an intent that wants none. */
export function atmosphereFit(intent: Intent, atmosphere: Qualities): number {
  let sum = 0;
  let weights = 0;
  for (const quality of qualities) {
    const weight = intent.atmosphere[quality];
    sum += weight > 0 ? weight * atmosphere[quality] : -weight * (1 - atmosphere[quality]);
    weights += Math.abs(weight);
  }
  return weights > 0 ? sum / weights : 0.5;
}

/** 0..1; below 1 where rain is wanted and missing, or avoided and present. Rain that was not measured counts as none. */
function weatherFit(intent: Intent, measured: number | null): number {
  const rain = measured ?? 0;
  return intent.rain > 0 ? 1 - intent.rain * (1 - rain) * 0.5 : 1 + intent.rain * rain;
}

/** The quality with the largest weight, wanted or avoided; null for an intent without weights. */
export function mostWanted({ atmosphere }: Pick<Intent, 'atmosphere'>) {
  const quality = qualities.reduce((most, one) =>
    Math.abs(atmosphere[one]) > Math.abs(atmosphere[most]) ? one : most,
  );
  return atmosphere[quality] === 0 ? null : { quality, weight: atmosphere[quality] };
}

/** 1 within the hours, falling to 0 over the hour on either side. */
export function hourFit(hours: Intent['hours'], hour: number): number {
  let best = 0;
  for (const [from, to] of hours) {
    best = Math.max(best, Math.min(ramp(hour, from - 1, from), ramp(hour, to + 1, to)));
  }
  return best;
}
