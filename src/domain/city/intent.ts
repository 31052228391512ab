import type { Atmosphere } from '../atmosphere/atmosphere.ts';
import { clamp, ramp } from '../stats/unit-scale.ts';
import type { Intent } from './city.ts';

type Qualities = Omit<Atmosphere, 'primary_state'>;

const qualities = ['calm', 'stress', 'social_energy', 'productive'] as const;

/**
 * How well the present suits an intent, 0..1 (docs/formulas.md, "Intent alignment"). `rain` is the pressure of rain,
 * null where it was not measured, `hour` the hour of the local clock.
 */
export function alignmentOf(
  intent: Intent,
  atmosphere: Qualities,
  rain: number | null,
  hour: number,
): number {
  const fit = hourFit(intent.hours, hour);
  return fit === 0 ? 0 : clamp(atmosphereFit(intent, atmosphere) * weatherFit(intent, rain) * fit);
}

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

/**
 * 0..1; below 1 where rain is wanted and missing, or avoided and present. Where rain was not measured it is no reason
 * against an intent that avoids it, and none for one that wants it.
 */
function weatherFit(intent: Intent, rain: number | null): number {
  if (rain === null) return intent.rain > 0 ? 0 : 1;
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
