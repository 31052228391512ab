import type { Atmosphere } from './atmosphere.ts';
import type { Intent } from './city.ts';
import { clamp, ramp } from './scale.ts';

type Qualities = Omit<Atmosphere, 'primary_state'>;

const qualities = ['calm', 'stress', 'social_energy', 'productive'] as const;

/** How well the present suits an intent, 0..1. `rain` is the pressure of rain, `hour` the hour of day in Singapore. */
export function alignmentOf(intent: Intent, atmosphere: Qualities, rain: number, hour: number): number {
  const fit = hourFit(intent.hours, hour);
  if (fit === 0) return 0;
  let wanted = 0;
  let weights = 0;
  for (const quality of qualities) {
    const weight = intent.atmosphere[quality];
    wanted += weight > 0 ? weight * atmosphere[quality] : -weight * (1 - atmosphere[quality]);
    weights += Math.abs(weight);
  }
  const suits = weights > 0 ? wanted / weights : 0.5;
  const weather = intent.rain > 0 ? 1 - intent.rain * (1 - rain) * 0.5 : 1 + intent.rain * rain;
  return clamp(suits * weather * fit);
}

/** 1 within the hours, falling to 0 over the hour on either side. */
function hourFit(hours: Intent['hours'], hour: number): number {
  let best = 0;
  for (const [from, to] of hours) {
    best = Math.max(best, Math.min(ramp(hour, from - 1, from), ramp(hour, to + 1, to)));
  }
  return best;
}
