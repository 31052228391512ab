/**
 * How full a pocket is, from whatever counts people there or stands in for that: each sensor against its own range over
 * all hours, never against the same hour of other weeks (docs/formulas.md, "Crowd").
 */
import { clamp, ramp, round, weightedMean } from '../stats/unit-scale.ts';
import { HOUR } from '../time/slot.ts';
import { addToRange, type OwnRange, type Range } from './own-range.ts';

/** What one sensor measured: a counter of people, or a stand-in such as free car-park places. */
export interface SensorValue {
  value: number;
  /** Feed and field: sensors of one kind see the same people. */
  kind: string;
  /** Whether the value rises or falls as the pocket gets busier. */
  points: 'up' | 'down';
  proxy: boolean;
  /** The ends of its range that are stated. */
  range?: Partial<Range>;
}

/** What is learned of a sensor, in values that rise as the pocket gets busier. */
export interface SensorPast {
  own: OwnRange;
  /** For each hour of the day the mean, and how many values it is of. */
  hours: (readonly [mean: number, n: number])[];
}

/** So many values of one hour of the day count alike; after them older ones lose weight. */
const HOUR_MEMORY = 21;

/** The past with one more value; null when its hour has one already. `hour` is that of the local clock. */
export function addToPast(
  past: SensorPast | undefined,
  time: number,
  hour: number,
  { value, points }: SensorValue,
): SensorPast | null {
  const busy = points === 'up' ? value : -value;
  const own = addToRange(past?.own, time, busy);
  if (!own) return null;
  const hours = Array.from({ length: 24 }, (_, of) => past?.hours[of] ?? ([0, 0] as const));
  const [mean, before] = hours[hour] ?? [0, 0];
  const n = Math.min(before + 1, HOUR_MEMORY);
  hours[hour] = [mean + (busy - mean) / n, n];
  return { own, hours };
}

/** What a range is learned from where neither of its ends is stated, and where one is. */
const LEARNING = {
  both_ends: { hours: 72, values: 24 },
  one_end: { hours: 24, values: 12 },
} as const;

/** After this long the range of a sensor is known at the latest. */
export const RANGE_LEARNING = LEARNING.both_ends.hours * HOUR;

/** The range by which a value is judged; null while too little of its past is known, or none of it differs. */
function judgingRange(
  { points, range = {} }: SensorValue,
  past: SensorPast | undefined,
  time: number,
): Range | null {
  const up = points === 'up';
  const least = up ? range.low : range.high === undefined ? undefined : -range.high;
  const most = up ? range.high : range.low === undefined ? undefined : -range.low;
  if (least !== undefined && most !== undefined) return most > least ? { low: least, high: most } : null;
  if (!past) return null;
  const { own } = past;
  const needed = least === undefined && most === undefined ? LEARNING.both_ends : LEARNING.one_end;
  if (time - own.since < needed.hours * HOUR || own.values.length < needed.values) return null;
  const low = least ?? own.low;
  const high = most ?? own.high;
  return high > low ? { low, high } : null;
}

/** Where a value lies in its sensor's range, 0 (empty) to 1 (full); null while that is not known. */
export function sensorLevel(
  measured: SensorValue,
  past: SensorPast | undefined,
  time: number,
): number | null {
  const range = judgingRange(measured, past, time);
  if (!range) return null;
  return ramp(measured.points === 'up' ? measured.value : -measured.value, range.low, range.high);
}

/** The hours in which the fewest people are about, and those of the waking day. */
const NIGHT = [2, 3, 4] as const;
const WAKING = Array.from({ length: 16 }, (_, n) => 7 + n);
/** Of the range: what follows people in the street is emptier at night by more than this. */
const LEAST_DIFFERENCE = 0.05;

/**
 * Whether something is usually as full at night as by day, or fuller. A stand-in that is (free taxis, the car park of
 * residents) tells of something other than people in the street.
 */
export function isFullestAtNight(past: SensorPast | undefined): boolean {
  if (!past) return false;
  const meanOver = (hours: readonly number[], least: number): number | null => {
    const known = hours.flatMap((hour) => {
      const [mean, n] = past.hours[hour] ?? [0, 0];
      return n >= 2 ? [mean] : [];
    });
    return known.length >= least ? known.reduce((sum, mean) => sum + mean, 0) / known.length : null;
  };
  const night = meanOver(NIGHT, NIGHT.length);
  const day = meanOver(WAKING, WAKING.length / 2);
  if (night === null || day === null) return false;
  const range = past.own.high - past.own.low;
  return range > 0 && night - day > -LEAST_DIFFERENCE * range;
}

/** What stands in for people (car parks, bikes) says half as much of a crowd as a count of people: a judgement. */
export const COUNTER_WEIGHT = 1;
export const STAND_IN_WEIGHT = 0.5;

export interface SensorLevel {
  level: number | null;
  kind: string;
  proxy: boolean;
}

/**
 * The levels of all sensors of a pocket as one; null where none is known. Those who come by car and those who come by
 * bike are different people, and a street that one of them fills is full: of the kinds of stand-ins the fullest counts.
 */
export function combineSensorLevels(levels: readonly SensorLevel[]): number | null {
  const counters = meanLevel(levels.filter(({ proxy }) => !proxy));
  const kinds = Map.groupBy(
    levels.filter(({ proxy }) => proxy),
    ({ kind }) => kind,
  );
  const standIns = [...kinds.values()].flatMap((ofKind) => meanLevel(ofKind) ?? []);
  const mean = weightedMean([
    [counters, COUNTER_WEIGHT],
    [standIns.length ? Math.max(...standIns) : null, STAND_IN_WEIGHT],
  ]);
  return mean === null ? null : round(clamp(mean));
}

const meanLevel = (levels: readonly SensorLevel[]): number | null =>
  weightedMean(levels.map(({ level }) => [level, 1] as const));
