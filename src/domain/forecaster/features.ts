import { type CalendarStep, effectiveStep, restDayFlag, stepOfDayKind } from './calendar-step.ts';
import type { Dimensions } from './design.ts';
import { clampMagnitude } from './models/recursive-least-squares.ts';
import { latestIndex, MAX_DEVIATION, type Place, usualLevel } from './place.ts';

/**
 * The inputs of the level model, in this order; two more for each exogenous number follow. `writeFeatures` computes
 * them. `now` is the slot at which the forecast is made, the target the slot it is for. Order and names are part of
 * the saved state's fingerprint.
 */
export const features = [
  // A constant, the usual level at the target, and its change since now.
  'one',
  'usual',
  'usual_change',
  // Deviations at or shortly before now.
  'now',
  'hour_ago',
  'two_hours_ago',
  'step_ago',
  'three_hours_ago',
  // Deviations one or two weeks and one day before the target, or before now (`…_now`).
  'last_week',
  'last_week_now',
  'last_week_around',
  'two_weeks_ago',
  'yesterday',
  'yesterday_now',
  // Running means of the deviation over 6 hours, a day and a week.
  'last_hours',
  'last_day',
  'last_days',
  // The mean deviation of all places, and its change over an hour.
  'others',
  'others_change',
  // The target: usual level of its kind of day less that of its step, hour of the day as two harmonics, flags.
  'day_kind',
  'sin',
  'cos',
  'sin2',
  'cos2',
  'rest',
  'holiday',
  // The present deviation by hour and kind of day of the target.
  'now_sin',
  'now_cos',
  'now_sin2',
  'now_cos2',
  'now_rest',
  // 1 when the present value is missing.
  'silent',
  // The usual change over the hour after the target, and further products.
  'usual_next',
  'now_usual_change',
  'last_week_sin',
  'last_week_cos',
  'holiday_day_kind',
  'now_size',
] as const;
export type Feature = (typeof features)[number];

export const featureCount = (dimensions: Dimensions): number => features.length + 2 * dimensions.exogenous;

/** The ones that a single place, or a single hour of the day, has enough samples to learn from. */
export const coreFeatures: readonly Feature[] = [
  'one',
  'now',
  'hour_ago',
  'two_hours_ago',
  'last_week',
  'last_week_now',
  'yesterday',
  'yesterday_now',
  'last_day',
  'last_days',
  'others',
  'usual_change',
  'two_weeks_ago',
  'day_kind',
  'step_ago',
  'last_week_around',
  'usual_next',
  'now_sin',
  'now_cos',
  'others_change',
  'now_usual_change',
];

export const featureIndex = (feature: Feature): number => features.indexOf(feature);

/** The last known deviation shrinks by a tenth for each hour without a value. */
const HOURLY_DECAY = 0.9;
/** Limit of deviations taken from the levels of earlier weeks. */
const MAX_LAGGED_DEVIATION = 3;
const MIN_CLIMATE_SPREAD = 1e-3;

/** The mean deviation over all places, now and an hour ago. */
export interface MeanDeviation {
  now: number;
  hourAgo: number;
}

/** Writes the features of a forecast made at `now` for `target` into `x`. A missing deviation counts as 0. */
export function writeFeatures(
  x: Float64Array,
  place: Place,
  dimensions: Dimensions,
  now: CalendarStep,
  target: CalendarStep,
  others: MeanDeviation,
): void {
  const { hour, day, week, rings } = dimensions;
  const targetStep = effectiveStep(target, day);
  const rest = restDayFlag(targetStep, day);
  const usualNow = usualLevel(place, effectiveStep(now, day), day);
  const usualThen = usualLevel(place, targetStep, day);
  const orZero = (deviation: number) => (Number.isNaN(deviation) ? 0 : deviation);
  const deviationAt = (slot: number) => orZero(place.deviations[slot % rings.deviations] as number);
  const deviationFrom = (slot: number, expected: number) => {
    const level = place.levels[slot % rings.levels] as number;
    return Number.isNaN(level) ? Number.NaN : clampMagnitude(level - expected, MAX_LAGGED_DEVIATION);
  };

  const age = place.latest[latestIndex.age] as number;
  const deviation = (place.latest[latestIndex.deviation] as number) * HOURLY_DECAY ** (age / hour);
  const lastWeek = orZero(deviationFrom(target.slot - week, usualThen));
  const usualChange = usualThen - usualNow;
  const dayKind = (place.daily[stepOfDayKind(targetStep, day)] as number) - usualThen;
  const angle = (2 * Math.PI * (targetStep % day)) / day;
  const sin = Math.sin(angle);
  const cos = Math.cos(angle);
  const sin2 = 2 * sin * cos;
  const cos2 = cos * cos - sin * sin;
  const hourAfter = (targetStep + hour) % week;
  const hourBefore = (targetStep - hour + week) % week;

  let i = 0;
  x[i++] = 1;
  x[i++] = usualThen;
  x[i++] = usualChange;
  x[i++] = deviation;
  x[i++] = deviationAt(now.slot - hour);
  x[i++] = deviationAt(now.slot - 2 * hour);
  x[i++] = deviationAt(now.slot - 1);
  x[i++] = deviationAt(now.slot - 3 * hour);
  x[i++] = lastWeek;
  x[i++] = deviationAt(now.slot - week);
  x[i++] = meanKnown(
    deviationFrom(target.slot - week - hour, usualLevel(place, hourBefore, day)),
    deviationFrom(target.slot - week + hour, usualLevel(place, hourAfter, day)),
  );
  x[i++] = orZero(deviationFrom(target.slot - 2 * week, usualThen));
  x[i++] = deviationAt(target.slot - day);
  x[i++] = deviationAt(now.slot - day);
  x[i++] = place.latest[latestIndex.meanOfHours] as number;
  x[i++] = place.latest[latestIndex.meanOfDay] as number;
  x[i++] = place.latest[latestIndex.meanOfWeek] as number;
  x[i++] = others.now;
  x[i++] = others.now - others.hourAgo;
  x[i++] = dayKind;
  x[i++] = sin;
  x[i++] = cos;
  x[i++] = sin2;
  x[i++] = cos2;
  x[i++] = rest;
  x[i++] = target.holiday ? 1 : 0;
  x[i++] = deviation * sin;
  x[i++] = deviation * cos;
  x[i++] = deviation * sin2;
  x[i++] = deviation * cos2;
  x[i++] = deviation * rest;
  x[i++] = age > 0 ? 1 : 0;
  x[i++] = usualLevel(place, hourAfter, day) - usualThen;
  x[i++] = deviation * usualChange;
  x[i++] = lastWeek * sin;
  x[i++] = lastWeek * cos;
  x[i++] = target.holiday ? dayKind : 0;
  x[i++] = deviation * Math.abs(deviation);
  writeExogenous(x, i, place, dimensions, now.slot);
}

/** Each exogenous number standardised by its climate, and its change over three hours in the same unit. */
function writeExogenous(
  x: Float64Array,
  from: number,
  place: Place,
  dimensions: Dimensions,
  slot: number,
): void {
  const { exogenous } = dimensions.rings;
  const nowRow = (slot % exogenous) * dimensions.exogenous;
  // The ring holds three hours and one slot, so the next position is the oldest.
  const earlierRow = ((slot + 1) % exogenous) * dimensions.exogenous;
  for (let j = 0; j < dimensions.exogenous; j++) {
    const value = place.exogenous[nowRow + j] as number;
    const earlier = place.exogenous[earlierRow + j] as number;
    const mean = place.climate[3 * j] as number;
    // Otherwise the rounding errors of a number that never changes would be scaled up to a signal.
    const spread = Math.sqrt(place.climate[3 * j + 1] as number) + MIN_CLIMATE_SPREAD * (Math.abs(mean) + 1);
    const known = !Number.isNaN(value);
    x[from + 2 * j] = known ? clampMagnitude((value - mean) / spread, MAX_DEVIATION) : 0;
    x[from + 2 * j + 1] =
      known && !Number.isNaN(earlier) ? clampMagnitude((value - earlier) / spread, MAX_DEVIATION) : 0;
  }
}

/** The mean of those that are known; 0 when neither is. */
function meanKnown(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : b;
  return Number.isNaN(b) ? a : (a + b) / 2;
}
