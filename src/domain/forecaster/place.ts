import type { BufferLayout } from './buffer-layout.ts';
import { stepOfDayKind } from './calendar-step.ts';
import type { Dimensions, Sample } from './design.ts';
import { type LevelScale, scaledLevel } from './level-scale.ts';
import { clampMagnitude } from './models/recursive-least-squares.ts';

/** What is stored about one place: its last two weeks, and its usual week. */
export interface Place {
  scale: LevelScale;
  /** Ring buffers over slots; NaN where nothing was measured. */
  levels: Float16Array;
  /** The level less the usual level, as it was known at the time. */
  deviations: Float16Array;
  /** The class + 1; 0 where unknown. */
  classes: Uint8Array;
  exogenous: Float32Array;
  /** The usual level at each step of the week, and its number of samples (counting stops at 255). */
  weekly: Float32Array;
  weeklyCounts: Uint8Array;
  /** The usual level, and the share of calm, at each step of a working day, then of a rest day. */
  daily: Float32Array;
  dailyCounts: Uint8Array;
  calmShare: Float32Array;
  /** For each exogenous number its running mean, running variance and number of samples. */
  climate: Float64Array;
  /** The latest state; see `latestIndex`. */
  latest: Float64Array;
}

/** Indices into `Place.latest`. */
export const latestIndex = {
  deviation: 0,
  /** Steps since the last value. */
  age: 1,
  /** 1 or 0; NaN if unknown. */
  calm: 2,
  /** The class + 1; 0 if unknown. */
  class: 3,
  /** Running means of the deviation over the windows below. */
  meanOfHours: 4,
  meanOfDay: 5,
  meanOfWeek: 6,
  size: 7,
} as const;

const MEAN_WINDOW_HOURS = [6, 24, 168] as const;
/** The least share of a new sample in the usual level: it looks back about ten weeks, or a fortnight of days. */
const WEEKLY_SHARE = 0.1;
const DAILY_SHARE = 0.06;
const CLIMATE_DAYS = 30;
/** The usual day counts as this many samples beside those of the step of the week. */
const DAILY_SAMPLES = 2;
/** In standard deviations. A level further off is a sensor fault or a festival, and its size says no more. */
export const MAX_DEVIATION = 4;

export function newPlace(layout: BufferLayout, dimensions: Dimensions, scale: LevelScale): Place {
  const { rings, exogenous, week, day } = dimensions;
  const place = {
    scale,
    levels: layout.f16(rings.levels).fill(Number.NaN),
    deviations: layout.f16(rings.deviations).fill(Number.NaN),
    classes: layout.u8(rings.classes),
    exogenous: layout.f32(rings.exogenous * exogenous).fill(Number.NaN),
    weekly: layout.f32(week),
    weeklyCounts: layout.u8(week),
    daily: layout.f32(2 * day),
    dailyCounts: layout.u8(2 * day),
    calmShare: layout.f32(2 * day).fill(0.5),
    climate: layout.f64(3 * exogenous),
    latest: layout.f64(latestIndex.size),
  };
  place.latest[latestIndex.calm] = Number.NaN;
  place.latest[latestIndex.age] = Number.POSITIVE_INFINITY;
  return place;
}

/** The usual level at an effective step of the week, drawn towards that of its kind of day while samples are few. */
export function usualLevel(place: Place, stepOfWeek: number, day: number): number {
  const count = place.weeklyCounts[stepOfWeek] as number;
  const ofDay = place.daily[stepOfDayKind(stepOfWeek, day)] as number;
  return (count * (place.weekly[stepOfWeek] as number) + DAILY_SAMPLES * ofDay) / (count + DAILY_SAMPLES);
}

/** Marks a slot as not measured; otherwise its ring positions would still hold a slot of up to two weeks before. */
export function clearSlot(place: Place, dimensions: Dimensions, slot: number): void {
  const { rings } = dimensions;
  place.levels[slot % rings.levels] = Number.NaN;
  place.deviations[slot % rings.deviations] = Number.NaN;
  place.classes[slot % rings.classes] = 0;
  const row = (slot % rings.exogenous) * dimensions.exogenous;
  place.exogenous.fill(Number.NaN, row, row + dimensions.exogenous);
  place.latest[latestIndex.age] = (place.latest[latestIndex.age] as number) + 1;
  place.latest[latestIndex.calm] = Number.NaN;
  place.latest[latestIndex.class] = 0;
}

/** How far a value is from the usual level of an effective step of the week, as it is recorded. */
export function deviationFrom(place: Place, { day }: Dimensions, stepOfWeek: number, value: number) {
  const level = clampMagnitude(scaledLevel(place.scale, value), 2 * MAX_DEVIATION);
  return { level, deviation: clampMagnitude(level - usualLevel(place, stepOfWeek, day), MAX_DEVIATION) };
}

/** Records what was measured in a slot; `stepOfWeek` is its effective step. */
export function recordSample(
  place: Place,
  dimensions: Dimensions,
  slot: number,
  stepOfWeek: number,
  holiday: boolean,
  sample: Sample,
): void {
  const { rings, day, hour } = dimensions;
  clearSlot(place, dimensions, slot);
  const step = stepOfDayKind(stepOfWeek, day);
  if (sample.class !== null) {
    place.classes[slot % rings.classes] = sample.class + 1;
    place.latest[latestIndex.class] = sample.class + 1;
  }
  if (sample.exogenous) recordExogenous(place, dimensions, slot, sample.exogenous);
  if (sample.calm !== null) {
    const calm = sample.calm ? 1 : 0;
    place.latest[latestIndex.calm] = calm;
    updateMean(place.calmShare, step, calm, (place.dailyCounts[step] as number) + 2, DAILY_SHARE);
  }
  if (sample.value === null || !Number.isFinite(sample.value)) return;

  const { level, deviation } = deviationFrom(place, dimensions, stepOfWeek, sample.value);
  place.levels[slot % rings.levels] = level;
  place.deviations[slot % rings.deviations] = deviation;
  place.latest[latestIndex.deviation] = deviation;
  place.latest[latestIndex.age] = 0;
  for (let i = 0; i < MEAN_WINDOW_HOURS.length; i++)
    updateMean(
      place.latest,
      latestIndex.meanOfHours + i,
      deviation,
      (MEAN_WINDOW_HOURS[i] as number) * hour,
      0,
    );
  updateMean(place.daily, step, level, incrementCount(place.dailyCounts, step), DAILY_SHARE);
  // A holiday is forecast as a Sunday, but it must not change what is usual on Sundays.
  if (!holiday)
    updateMean(place.weekly, stepOfWeek, level, incrementCount(place.weeklyCounts, stepOfWeek), WEEKLY_SHARE);
}

/** Rounds what `recordSample` changes in double precision to what is stored of it. */
export function roundRecorded({ climate, latest }: Place): void {
  for (const numbers of [climate, latest])
    for (let i = 0; i < numbers.length; i++) numbers[i] = Math.fround(numbers[i] as number);
}

/** Stores the exogenous numbers, and updates their running means and variances. */
function recordExogenous(
  place: Place,
  dimensions: Dimensions,
  slot: number,
  numbers: readonly (number | null)[],
): void {
  const row = (slot % dimensions.rings.exogenous) * dimensions.exogenous;
  for (let j = 0; j < dimensions.exogenous; j++) {
    const x = numbers[j];
    if (x === null || x === undefined || !Number.isFinite(x)) continue;
    place.exogenous[row + j] = x;
    const at = 3 * j;
    const count = (place.climate[at + 2] as number) + 1;
    const share = Math.max(1 / count, 1 / (CLIMATE_DAYS * dimensions.day));
    const difference = x - (place.climate[at] as number);
    place.climate[at] = (place.climate[at] as number) + share * difference;
    place.climate[at + 1] =
      (1 - share) * ((place.climate[at + 1] as number) + share * difference * difference);
    place.climate[at + 2] = count;
  }
}

function incrementCount(counts: Uint8Array, at: number): number {
  const count = (counts[at] as number) + 1;
  if (count <= 255) counts[at] = count;
  return count;
}

/** Moves a mean towards `x` as its `count`-th sample would, but by no less than `minShare` of the difference. */
function updateMean(
  means: Float32Array | Float64Array,
  at: number,
  x: number,
  count: number,
  minShare: number,
): void {
  const mean = means[at] as number;
  means[at] = mean + (x - mean) * Math.max(1 / count, minShare);
}
