import type { BufferLayout } from './buffer-layout.ts';
import { restOf } from './calendar-step.ts';
import type { Extent, Sample } from './design.ts';
import { levelOf, type Scale } from './level-scale.ts';
import { within } from './recursive.ts';

/** What is remembered of one place: its last two weeks, and its usual week. */
export interface Place {
  scale: Scale;
  /** Rings over slots; NaN where nothing was measured. */
  levels: Float16Array;
  /** The level less what was usual, as it was felt at the time. */
  surprises: Float16Array;
  /** The class + 1; 0 where unknown. */
  classes: Uint8Array;
  exogenous: Float32Array;
  /** The usual level at each step of the week, and how often it was seen (counting stops at 255). */
  weekly: Float32Array;
  weeklySeen: Uint8Array;
  /** The usual level, and the share of calm, at each step of a working day, then of a day of rest. */
  daily: Float32Array;
  dailySeen: Uint8Array;
  calmShare: Float32Array;
  /** Running mean and variance of each exogenous number, and how often it was seen. */
  climate: Float64Array;
  /** See `pulse`. */
  pulse: Float64Array;
}

/** Indices into `Place.pulse`. */
export const latestState = {
  surprise: 0,
  age: 1,
  calm: 2,
  class: 3,
  hours: 4,
  days: 5,
  weeks: 6,
  size: 7,
} as const;

/** How long the running means of surprise look back, in hours. */
const TIDES = [6, 24, 168] as const;
/** The usual week is that of the last ten or so; the usual day that of the last fortnight or so. */
const WEEKLY_SHARE = 0.1;
const DAILY_SHARE = 0.06;
const CLIMATE_DAYS = 30;
/** So many sightings of a step of the week weigh as much as the usual day. */
const DAILY_WORTH = 2;
/** Beyond four spreads a level is a fault or a feast, and says no more than that. */
export const MOST_SURPRISE = 4;

export function newPlace(arena: BufferLayout, extent: Extent, scale: Scale): Place {
  const ring = extent.rings;
  const place = {
    scale,
    levels: arena.f16(ring.levels).fill(Number.NaN),
    surprises: arena.f16(ring.surprises).fill(Number.NaN),
    classes: arena.u8(ring.classes),
    exogenous: arena.f32(ring.exogenous * extent.exogenous).fill(Number.NaN),
    weekly: arena.f32(extent.week),
    weeklySeen: arena.u8(extent.week),
    daily: arena.f32(2 * extent.day),
    dailySeen: arena.u8(2 * extent.day),
    calmShare: arena.f32(2 * extent.day).fill(0.5),
    climate: arena.f64(3 * extent.exogenous),
    pulse: arena.f64(latestState.size),
  };
  place.pulse[latestState.calm] = Number.NaN;
  place.pulse[latestState.age] = Number.POSITIVE_INFINITY;
  return place;
}

/** The level usual at a step of the week: what that step used to be, leaning on its kind of day while rarely seen. */
export function usual(place: Place, lived: number, day: number): number {
  const seen = place.weeklySeen[lived] as number;
  const ofDay = place.daily[restOf(lived, day) * day + (lived % day)] as number;
  return (seen * (place.weekly[lived] as number) + DAILY_WORTH * ofDay) / (seen + DAILY_WORTH);
}

/** Marks a slot as not measured; slots that nobody reported must not show what was there two weeks before. */
export function forget(place: Place, extent: Extent, slot: number): void {
  const ring = extent.rings;
  place.levels[slot % ring.levels] = Number.NaN;
  place.surprises[slot % ring.surprises] = Number.NaN;
  place.classes[slot % ring.classes] = 0;
  const row = (slot % ring.exogenous) * extent.exogenous;
  place.exogenous.fill(Number.NaN, row, row + extent.exogenous);
  place.pulse[latestState.age] = (place.pulse[latestState.age] as number) + 1;
  place.pulse[latestState.calm] = Number.NaN;
  place.pulse[latestState.class] = 0;
}

/** Takes in what was measured in a slot; `lived` is its step of the week. */
export function absorb(
  place: Place,
  extent: Extent,
  slot: number,
  lived: number,
  holiday: boolean,
  reading: Sample,
): void {
  const ring = extent.rings;
  forget(place, extent, slot);
  const step = restOf(lived, extent.day) * extent.day + (lived % extent.day);
  if (reading.class !== null) {
    place.classes[slot % ring.classes] = reading.class + 1;
    place.pulse[latestState.class] = reading.class + 1;
  }
  if (reading.exogenous) absorbExogenous(place, extent, slot, reading.exogenous);
  if (reading.calm !== null) {
    place.pulse[latestState.calm] = reading.calm ? 1 : 0;
    nudge(place.calmShare, step, reading.calm ? 1 : 0, (place.dailySeen[step] as number) + 2, DAILY_SHARE);
  }
  if (reading.value === null || !Number.isFinite(reading.value)) return;

  const level = within(levelOf(place.scale, reading.value), 2 * MOST_SURPRISE);
  const surprise = within(level - usual(place, lived, extent.day), MOST_SURPRISE);
  place.levels[slot % ring.levels] = level;
  place.surprises[slot % ring.surprises] = surprise;
  place.pulse[latestState.surprise] = surprise;
  place.pulse[latestState.age] = 0;
  for (let i = 0; i < TIDES.length; i++)
    nudge(place.pulse, latestState.hours + i, surprise, (TIDES[i] as number) * extent.hour, 0);
  nudge(place.daily, step, level, seenAgain(place.dailySeen, step), DAILY_SHARE);
  // A holiday is read as a Sunday, but it is not one to learn from.
  if (!holiday) nudge(place.weekly, lived, level, seenAgain(place.weeklySeen, lived), WEEKLY_SHARE);
}

function absorbExogenous(
  place: Place,
  extent: Extent,
  slot: number,
  numbers: readonly (number | null)[],
): void {
  const row = (slot % extent.rings.exogenous) * extent.exogenous;
  for (let j = 0; j < extent.exogenous; j++) {
    const x = numbers[j];
    if (x === null || x === undefined || !Number.isFinite(x)) continue;
    place.exogenous[row + j] = x;
    const at = 3 * j;
    const seen = (place.climate[at + 2] as number) + 1;
    const share = Math.max(1 / seen, 1 / (CLIMATE_DAYS * extent.day));
    const off = x - (place.climate[at] as number);
    place.climate[at] = (place.climate[at] as number) + share * off;
    place.climate[at + 1] = (1 - share) * ((place.climate[at + 1] as number) + share * off * off);
    place.climate[at + 2] = seen;
  }
}

function seenAgain(counts: Uint8Array, at: number): number {
  const seen = (counts[at] as number) + 1;
  if (seen <= 255) counts[at] = seen;
  return seen;
}

/** Moves a mean towards `x` as its `count`-th sample would, but by no less than `least`. */
function nudge(
  means: Float32Array | Float64Array,
  at: number,
  x: number,
  count: number,
  least: number,
): void {
  const mean = means[at] as number;
  means[at] = mean + (x - mean) * Math.max(1 / count, least);
}
