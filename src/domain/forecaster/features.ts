import { type CalendarStep, livedStep, restOf } from './calendar-step.ts';
import type { Extent } from './design.ts';
import { latestState, MOST_SURPRISE, type Place, usual } from './place.ts';
import { within } from './recursive.ts';

/** What a forecast is made from, in this order; two more for each exogenous number follow. */
export const features = [
  'one',
  'usual',
  'usual_change',
  'now',
  'hour_ago',
  'two_hours_ago',
  'step_ago',
  'three_hours_ago',
  'last_week',
  'last_week_now',
  'last_week_around',
  'two_weeks_ago',
  'yesterday',
  'yesterday_now',
  'last_hours',
  'last_day',
  'last_days',
  'others',
  'others_change',
  'day_kind',
  'sin',
  'cos',
  'sin2',
  'cos2',
  'rest',
  'holiday',
  'now_sin',
  'now_cos',
  'now_sin2',
  'now_cos2',
  'now_rest',
  'silent',
  'usual_next',
  'now_usual_change',
  'last_week_sin',
  'last_week_cos',
  'holiday_day_kind',
  'now_size',
] as const;
export type Feature = (typeof features)[number];

export const featureCount = (extent: Extent): number => features.length + 2 * extent.exogenous;

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

export const indexOf = (feature: Feature): number => features.indexOf(feature);

/** A surprise fades by a tenth for each hour that nothing is heard. */
const FADING = 0.9;
const MOST_LAG = 3;
const LEAST_CLIMATE = 1e-3;

/** What the other places felt: the mean surprise now, and an hour ago. */
export interface Others {
  now: number;
  hourAgo: number;
}

/** Writes the features of a forecast made at `now` for `target` into `x`. */
export function describe(
  x: Float64Array,
  place: Place,
  extent: Extent,
  now: CalendarStep,
  target: CalendarStep,
  others: Others,
): void {
  const { hour, day, week } = extent;
  const ring = extent.rings;
  const here = livedStep(now, day);
  const there = livedStep(target, day);
  const rest = restOf(there, day);
  const usualHere = usual(place, here, day);
  const usualThere = usual(place, there, day);
  const felt = (slot: number) => {
    const surprise = place.surprises[slot % ring.surprises] as number;
    return Number.isNaN(surprise) ? 0 : surprise;
  };
  const against = (slot: number, expected: number) => {
    const level = place.levels[slot % ring.levels] as number;
    return Number.isNaN(level) ? Number.NaN : within(level - expected, MOST_LAG);
  };
  const orUsual = (surprise: number) => (Number.isNaN(surprise) ? 0 : surprise);

  const age = place.pulse[latestState.age] as number;
  const surprise = (place.pulse[latestState.surprise] as number) * FADING ** (age / hour);
  const lastWeek = orUsual(against(target.slot - week, usualThere));
  const change = usualThere - usualHere;
  const dayKind = (place.daily[rest * day + (there % day)] as number) - usualThere;
  const angle = (2 * Math.PI * (there % day)) / day;
  const sin = Math.sin(angle);
  const cos = Math.cos(angle);
  const sin2 = 2 * sin * cos;
  const cos2 = cos * cos - sin * sin;
  const next = (there + hour) % week;
  const before = (there - hour + week) % week;

  let i = 0;
  x[i++] = 1;
  x[i++] = usualThere;
  x[i++] = change;
  x[i++] = surprise;
  x[i++] = felt(now.slot - hour);
  x[i++] = felt(now.slot - 2 * hour);
  x[i++] = felt(now.slot - 1);
  x[i++] = felt(now.slot - 3 * hour);
  x[i++] = lastWeek;
  x[i++] = felt(now.slot - week);
  x[i++] = meanKnown(
    against(target.slot - week - hour, usual(place, before, day)),
    against(target.slot - week + hour, usual(place, next, day)),
  );
  x[i++] = orUsual(against(target.slot - 2 * week, usualThere));
  x[i++] = felt(target.slot - day);
  x[i++] = felt(now.slot - day);
  x[i++] = place.pulse[latestState.hours] as number;
  x[i++] = place.pulse[latestState.days] as number;
  x[i++] = place.pulse[latestState.weeks] as number;
  x[i++] = others.now;
  x[i++] = others.now - others.hourAgo;
  x[i++] = dayKind;
  x[i++] = sin;
  x[i++] = cos;
  x[i++] = sin2;
  x[i++] = cos2;
  x[i++] = rest;
  x[i++] = target.holiday ? 1 : 0;
  x[i++] = surprise * sin;
  x[i++] = surprise * cos;
  x[i++] = surprise * sin2;
  x[i++] = surprise * cos2;
  x[i++] = surprise * rest;
  x[i++] = age > 0 ? 1 : 0;
  x[i++] = usual(place, next, day) - usualThere;
  x[i++] = surprise * change;
  x[i++] = lastWeek * sin;
  x[i++] = lastWeek * cos;
  x[i++] = target.holiday ? dayKind : 0;
  x[i++] = surprise * Math.abs(surprise);
  describeExogenous(x, i, place, extent, now.slot);
}

/** Each exogenous number against its own climate, and its change over three hours. */
function describeExogenous(x: Float64Array, from: number, place: Place, extent: Extent, slot: number): void {
  const { exogenous } = extent.rings;
  const here = (slot % exogenous) * extent.exogenous;
  const earlier = ((slot + 1) % exogenous) * extent.exogenous;
  for (let j = 0; j < extent.exogenous; j++) {
    const value = place.exogenous[here + j] as number;
    const before = place.exogenous[earlier + j] as number;
    const mean = place.climate[3 * j] as number;
    // A number that never changes must not have its rounding taken for weather.
    const spread = Math.sqrt(place.climate[3 * j + 1] as number) + LEAST_CLIMATE * (Math.abs(mean) + 1);
    const known = !Number.isNaN(value);
    x[from + 2 * j] = known ? within((value - mean) / spread, MOST_SURPRISE) : 0;
    x[from + 2 * j + 1] =
      known && !Number.isNaN(before) ? within((value - before) / spread, MOST_SURPRISE) : 0;
  }
}

function meanKnown(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : b;
  return Number.isNaN(b) ? a : (a + b) / 2;
}
