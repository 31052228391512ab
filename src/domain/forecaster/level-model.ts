import type { BufferLayout } from './buffer-layout.ts';
import type { Extent } from './design.ts';
import { coreFeatures, featureCount } from './features.ts';
import { MOST_SURPRISE } from './place.ts';
import { dot, type Learner, learnLevel, newLearner, within } from './recursive.ts';

/** Three regressions of the coming surprise, and how to weigh them. One set for each horizon, shared by all places. */
export interface LevelModel {
  pooled: Learner;
  /** By the hour of the day that is forecast: what lasts at noon need not last at dawn. */
  hourly: Learner[];
  blend: Learner;
}

/** What a place adds of its own, for each horizon. */
export interface PlaceLevel {
  placed: Learner;
  /** Mean squared error for each hour of the day, then how often it was seen, then the mean over all hours and its count. */
  errors: Float64Array;
}

const HOURS = 24;
const COUNT = HOURS;
const OVERALL = 2 * HOURS;

/** How far coefficients may lie from their start, before any sample: few samples, little leeway. */
const PRIOR = { pooled: 0.1, hourly: 0.1, placed: 0.03, blend: 0.1 };

export const newLevelModel = (arena: BufferLayout, extent: Extent): LevelModel => {
  const blend = newLearner(arena, 4, () => PRIOR.blend);
  blend.coefficients.fill(1 / 3, 1);
  return {
    pooled: newLearner(arena, featureCount(extent), () => PRIOR.pooled),
    hourly: Array.from({ length: HOURS }, () => newLearner(arena, coreFeatures.length, () => PRIOR.hourly)),
    blend,
  };
};

export const newPlaceLevel = (arena: BufferLayout): PlaceLevel => ({
  placed: newLearner(arena, coreFeatures.length, () => PRIOR.placed),
  errors: arena.f64(2 * HOURS + 2),
});

/** Writes 1 and the three expectations into `parts`, and returns the surprise they agree on. */
export function expectSurprise(
  model: LevelModel,
  own: PlaceLevel,
  hour: number,
  all: Float64Array,
  core: Float64Array,
  parts: Float64Array,
): number {
  parts[0] = 1;
  parts[1] = within(dot(model.pooled, all), MOST_SURPRISE);
  parts[2] = within(dot(model.hourly[hour] as Learner, core), MOST_SURPRISE);
  parts[3] = within(dot(own.placed, core), MOST_SURPRISE);
  return within(dot(model.blend, parts), MOST_SURPRISE);
}

export interface Weighing {
  /** What one sample counts: neighbouring quarter hours tell much the same. */
  weight: number;
  /** How much of the past is kept at each sample, by what all places share and by one place. */
  keepShared: number;
  keepOwn: number;
  /** For how many samples this one stands in the widest regressions, which take one an hour of each place; 0: not taken. */
  standsFor: number;
}

export function learnSurprise(
  model: LevelModel,
  own: PlaceLevel,
  hour: number,
  all: Float64Array,
  core: Float64Array,
  parts: Float64Array,
  surprise: number,
  { weight, keepShared, keepOwn, standsFor }: Weighing,
): void {
  if (standsFor > 0) learnLevel(model.pooled, all, surprise, weight * standsFor, keepShared ** standsFor);
  learnLevel(model.hourly[hour] as Learner, core, surprise, weight, keepShared);
  learnLevel(own.placed, core, surprise, weight, keepOwn);
  learnLevel(model.blend, parts, surprise, weight, keepShared);
}

/** A few samples of one hour weigh little against the error over the whole day. */
const OVERALL_WORTH = 10;
/** Errors of the last forty or so days of an hour; over all hours, those of the last week or so. */
const HOUR_MEMORY = 40;
const OVERALL_MEMORY = 200;
const LEAST_ERROR = 0.02;

export function typicalError({ errors }: PlaceLevel, hour: number, extent: Extent): number {
  const seen = errors[COUNT + hour] as number;
  const worth = OVERALL_WORTH * extent.hour;
  const overall = (errors[OVERALL + 1] as number) > 0 ? (errors[OVERALL] as number) : 1;
  return Math.sqrt((seen * (errors[hour] as number) + worth * overall) / (seen + worth)) + LEAST_ERROR;
}

export function learnError({ errors }: PlaceLevel, hour: number, error: number, extent: Extent): void {
  const squared = error * error;
  const nudge = (mean: number, count: number, memory: number) => {
    errors[count] = Math.min((errors[count] as number) + 1, memory * extent.hour);
    errors[mean] =
      (errors[mean] as number) + (squared - (errors[mean] as number)) / (errors[count] as number);
  };
  nudge(hour, COUNT + hour, HOUR_MEMORY);
  nudge(OVERALL, OVERALL + 1, OVERALL_MEMORY);
}
