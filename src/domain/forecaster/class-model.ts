import type { BufferLayout } from './buffer-layout.ts';
import { signs } from './calm-model.ts';
import type { Extent } from './design.ts';
import { featureCount } from './features.ts';

/** Opinions on the class, each with one learned weight for all classes. */
export const classCandidates = ['level', 'table', 'share', 'persistence', 'last_week', 'yesterday'] as const;
const CANDIDATES = classCandidates.length;

/** A softmax over weighed opinions and features. One for each horizon, shared by all places. */
export interface ClassModel {
  /** A weight for each candidate, then for each class and feature; then the sums of their squared slopes. */
  weights: Float64Array;
  slopes: Float64Array;
}

/** What a place adds of its own, for each horizon: how often each class followed, and a leaning to each class. */
export interface PlaceClasses {
  /** By class at the time (or 0 if unknown), hour and kind of day forecast, and class that followed. */
  counts: Uint8Array;
  leanings: Float64Array;
  leaningSlopes: Float64Array;
}

const HOURS = 24;
const KINDS = 2;

const inputs = (extent: Extent): number => featureCount(extent) + signs.length;

/** The level's own word is taken at first, with a little of the table. */
const START = [1, 0.2];

export function newClassModel(arena: BufferLayout, extent: Extent): ClassModel {
  const size = CANDIDATES + extent.classes * inputs(extent);
  const model = { weights: arena.f64(size), slopes: arena.f64(size).fill(1) };
  model.weights.set(START);
  return model;
}

export const newPlaceClasses = (arena: BufferLayout, extent: Extent): PlaceClasses => ({
  counts: arena.u8((extent.classes + 1) * HOURS * KINDS * extent.classes),
  leanings: arena.f64(extent.classes),
  leaningSlopes: arena.f64(extent.classes).fill(1),
});

/** The row of the table; `seen` is the class at the time + 1, or 0. */
export const rowOf = (seen: number, hour: number, rest: number): number =>
  (seen * HOURS + hour) * KINDS + rest;

/** What followed at this hour whatever went before counts as two sightings. */
const SHARE_WORTH = 2;
const LEAST_SHARE = 0.5;

/** Writes the table's and the hour's shares of each class. */
export function frequencies(
  { counts }: PlaceClasses,
  row: number,
  extent: Extent,
  table: Float64Array,
  share: Float64Array,
): void {
  const k = extent.classes;
  const rows = HOURS * KINDS;
  let all = 0;
  for (let c = 0; c < k; c++) {
    let sum = LEAST_SHARE;
    for (let seen = 0; seen <= k; seen++) sum += counts[(seen * rows + (row % rows)) * k + c] as number;
    share[c] = sum;
    all += sum;
  }
  let seen = SHARE_WORTH;
  for (let c = 0; c < k; c++) seen += counts[row * k + c] as number;
  for (let c = 0; c < k; c++) {
    share[c] = (share[c] as number) / all;
    table[c] = ((counts[row * k + c] as number) + SHARE_WORTH * (share[c] as number)) / seen;
  }
}

/** Counts one more; a row that is full is halved, so the old slowly fades. */
export function count({ counts }: PlaceClasses, row: number, outcome: number, k: number): void {
  const at = row * k + outcome;
  if (counts[at] === 255)
    for (let c = 0; c < k; c++) counts[row * k + c] = (counts[row * k + c] as number) >> 1;
  counts[at] = (counts[at] as number) + 1;
}

/** `opinions` holds, candidate by candidate, a number for each class. Writes probabilities that add up to 1. */
export function classChances(
  { weights }: ClassModel,
  { leanings }: PlaceClasses,
  x: Float64Array,
  opinions: Float64Array,
  chances: Float64Array,
): void {
  const k = chances.length;
  const size = x.length;
  let highest = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < k; c++) {
    let score = leanings[c] as number;
    for (let e = 0; e < CANDIDATES; e++) score += (weights[e] as number) * (opinions[e * k + c] as number);
    const row = CANDIDATES + c * size;
    for (let j = 0; j < size; j++) score += (weights[row + j] as number) * (x[j] as number);
    chances[c] = score;
    if (score > highest) highest = score;
  }
  let sum = 0;
  for (let c = 0; c < k; c++) {
    const chance = Math.exp((chances[c] as number) - highest);
    chances[c] = chance;
    sum += chance;
  }
  for (let c = 0; c < k; c++) chances[c] = (chances[c] as number) / sum;
}

/** The step of an opinion's weight, and of a feature's: those are many, pull together, and are mostly noise. */
const RATE = { opinion: 0.05, feature: 0.012 };
/** A class given one chance in a thousand, that did not come, has nothing more to teach. */
const LEAST_ERROR = 0.001;

/** One AdaGrad step on the log loss: each weight slows down by the slopes it has met. */
export function learnClass(
  model: ClassModel,
  own: PlaceClasses,
  x: Float64Array,
  opinions: Float64Array,
  chances: Float64Array,
  outcome: number,
  weight: number,
): void {
  classChances(model, own, x, opinions, chances);
  const k = chances.length;
  chances[outcome] = (chances[outcome] as number) - 1;
  for (let e = 0; e < CANDIDATES; e++) {
    let slope = 0;
    for (let c = 0; c < k; c++) slope -= (chances[c] as number) * (opinions[e * k + c] as number);
    step(model.weights, model.slopes, e, slope * weight, RATE.opinion);
  }
  for (let c = 0; c < k; c++) {
    const error = chances[c] as number;
    if (Math.abs(error) < LEAST_ERROR) continue;
    const slope = -error * weight;
    step(own.leanings, own.leaningSlopes, c, slope, RATE.opinion);
    const row = CANDIDATES + c * x.length;
    for (let j = 0; j < x.length; j++) {
      const xj = x[j] as number;
      if (xj !== 0) step(model.weights, model.slopes, row + j, slope * xj, RATE.feature);
    }
  }
}

function step(values: Float64Array, sums: Float64Array, at: number, slope: number, rate: number): void {
  const sum = (sums[at] as number) + slope * slope;
  sums[at] = sum;
  values[at] = (values[at] as number) + (rate * slope) / Math.sqrt(sum);
}
