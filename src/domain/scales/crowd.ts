/**
 * How crowded a pocket is, as a share of its own usual peak, from whatever counts people there or stands in for that
 * (docs/formulas.md, "Crowd").
 */
import { emptyNorm, type Norm, updateNorm } from '../stats/norm.ts';
import { clamp, ramp, round, weightedMean } from '../stats/unit-scale.ts';
import { type OwnRange, rangeWithoutPrior } from './own-range.ts';

/** What one sensor measured: a counter of people, or a proxy such as free car-park places. */
export interface SensorValue {
  value: number;
  /** Whether the value rises or falls as the pocket gets busier. */
  points: 'up' | 'down';
  proxy: boolean;
}

/** What is usual for a proxy at one hour of the day: on all days, and on each day of the week, 0 being Monday. */
export interface ProxyNorms {
  all_days: Norm;
  weekdays: Norm[];
}

export const noProxyNorms: ProxyNorms = { all_days: emptyNorm, weekdays: [] };

export const updateProxyNorms = (norms: ProxyNorms, weekday: number, value: number): ProxyNorms => ({
  all_days: updateNorm(norms.all_days, value),
  weekdays: Array.from({ length: 7 }, (_, day) => {
    const norm = norms.weekdays[day] ?? emptyNorm;
    return day === weekday ? updateNorm(norm, value) : norm;
  }),
});

/** A counter: where its value lies in its own usual range; null while that is unknown. */
export function counterLevel({ value, points }: SensorValue, own: OwnRange | undefined): number | null {
  const range = rangeWithoutPrior(own);
  if (!range) return null;
  const level = ramp(value, range.low, range.high);
  return points === 'up' ? level : 1 - level;
}

/** An hour of the week, or of the day, that was seen in this many quarter hours has a norm. */
const LEAST_SAMPLES = 4;
/** The level changes by this much for each standard deviation. */
const LEVEL_PER_DEVIATION = 0.2;
/** The least standard deviation assumed, as a share of the mean. */
const LEAST_DEVIATION = 0.05;

/**
 * A proxy: how far it is from what is usual for that hour of the week, 0.5 being usual. Until that hour of the week was
 * seen, the same hour of all days stands in; null while that is unknown too.
 */
export function proxyLevel(
  { value, points }: SensorValue,
  { all_days, weekdays }: ProxyNorms,
  weekday: number,
): number | null {
  const ofWeek = weekdays[weekday] ?? emptyNorm;
  const norm = ofWeek.samples >= LEAST_SAMPLES ? ofWeek : all_days;
  if (norm.samples < LEAST_SAMPLES) return null;
  const deviation = Math.max(Math.sqrt(norm.variance), LEAST_DEVIATION * Math.abs(norm.mean));
  if (deviation === 0) return null;
  const distance = (value - norm.mean) / deviation;
  return round(clamp(0.5 + LEVEL_PER_DEVIATION * (points === 'up' ? distance : -distance)));
}

const COUNTER_WEIGHT = 1;
const PROXY_WEIGHT = 0.5;

/** The levels of all sensors of a pocket as one; null where none is known. */
export function crowdOf(levels: readonly { level: number | null; proxy: boolean }[]): number | null {
  const mean = weightedMean(
    levels.map(({ level, proxy }) => [level, proxy ? PROXY_WEIGHT : COUNTER_WEIGHT] as const),
  );
  return mean === null ? null : round(mean);
}
