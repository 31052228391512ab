import type { BufferLayout } from '../buffer-layout.ts';
import type { Dimensions } from '../design.ts';
import { coreFeatures, featureCount } from '../features.ts';
import { MAX_DEVIATION } from '../place.ts';
import {
  clampMagnitude,
  dot,
  newRegression,
  type Regression,
  updateLinear,
} from './recursive-least-squares.ts';

/**
 * Forecasts the deviation of the level from its usual value. Three experts, all linear regressions, differ in which
 * samples they share: all places (`pooled`), one hour of the day (`hourly`), one place (`placed`). A fourth regression
 * over their outputs blends them. One model for each horizon, shared by all places.
 */
export interface LevelModel {
  pooled: Regression;
  /** By the hour of the target: a deviation that lasts at noon need not last at dawn. */
  hourly: Regression[];
  blend: Regression;
}

/** The part of the level model that belongs to one place, for each horizon. */
export interface PlaceLevelModel {
  placed: Regression;
  /** Mean squared error of each hour of the day, then the 24 counts, then the mean over all hours and its count. */
  errors: Float64Array;
}

const HOURS = 24;
/** Offsets into `PlaceLevelModel.errors`. */
const COUNT = HOURS;
const OVERALL = 2 * HOURS;

/** Prior variances of the coefficients; a place has few samples, so its coefficients stay nearer to 0. */
const PRIOR = { pooled: 0.1, hourly: 0.1, placed: 0.03, blend: 0.1 };

export const newLevelModel = (layout: BufferLayout, dimensions: Dimensions): LevelModel => {
  const blend = newRegression(layout, 4, () => PRIOR.blend);
  // The blend starts as the mean of the three experts.
  blend.coefficients.fill(1 / 3, 1);
  return {
    pooled: newRegression(layout, featureCount(dimensions), () => PRIOR.pooled),
    hourly: Array.from({ length: HOURS }, () =>
      newRegression(layout, coreFeatures.length, () => PRIOR.hourly),
    ),
    blend,
  };
};

export const newPlaceLevelModel = (layout: BufferLayout): PlaceLevelModel => ({
  placed: newRegression(layout, coreFeatures.length, () => PRIOR.placed),
  errors: layout.f64(2 * HOURS + 2),
});

/** Writes 1 and the three experts' outputs into `experts`, and returns their blend: the expected deviation. */
export function predictDeviation(
  model: LevelModel,
  placeModel: PlaceLevelModel,
  hour: number,
  features: Float64Array,
  core: Float64Array,
  experts: Float64Array,
): number {
  experts[0] = 1;
  experts[1] = clampMagnitude(dot(model.pooled, features), MAX_DEVIATION);
  experts[2] = clampMagnitude(dot(model.hourly[hour] as Regression, core), MAX_DEVIATION);
  experts[3] = clampMagnitude(dot(placeModel.placed, core), MAX_DEVIATION);
  return clampMagnitude(dot(model.blend, experts), MAX_DEVIATION);
}

/** How one outcome enters the regressions. */
export interface UpdateWeights {
  /** Weight of the sample. Below 1, since neighbouring quarter hours are strongly correlated. */
  weight: number;
  /** Forgetting factors of what all places share, and of what belongs to one place. */
  forgetShared: number;
  forgetPlace: number;
  /**
   * How many samples this one counts for in the pooled regressions. They are the widest, so to save time they get only
   * one sample an hour from each place, with the weight of all; 0: this sample is not used there.
   */
  pooledSamples: number;
}

export function updateLevelModel(
  model: LevelModel,
  placeModel: PlaceLevelModel,
  hour: number,
  features: Float64Array,
  core: Float64Array,
  experts: Float64Array,
  deviation: number,
  { weight, forgetShared, forgetPlace, pooledSamples }: UpdateWeights,
): void {
  if (pooledSamples > 0)
    updateLinear(model.pooled, features, deviation, weight * pooledSamples, forgetShared ** pooledSamples);
  updateLinear(model.hourly[hour] as Regression, core, deviation, weight, forgetShared);
  updateLinear(placeModel.placed, core, deviation, weight, forgetPlace);
  updateLinear(model.blend, experts, deviation, weight, forgetShared);
}

/** The error over the whole day counts as this many hours of samples beside those of the hour itself. */
const OVERALL_HOURS = 10;
/** The means look back over about forty days of an hour, and over about a week of all hours. */
const HOUR_MEMORY = 40;
const OVERALL_MEMORY = 200;
const MIN_ERROR = 0.02;

/** Root mean squared error of the forecast deviation at an hour, drawn towards that of the whole day. */
export function typicalError({ errors }: PlaceLevelModel, hour: number, dimensions: Dimensions): number {
  const count = errors[COUNT + hour] as number;
  const overallCount = OVERALL_HOURS * dimensions.hour;
  const overall = (errors[OVERALL + 1] as number) > 0 ? (errors[OVERALL] as number) : 1;
  return (
    Math.sqrt((count * (errors[hour] as number) + overallCount * overall) / (count + overallCount)) +
    MIN_ERROR
  );
}

export function updateError(
  { errors }: PlaceLevelModel,
  hour: number,
  error: number,
  dimensions: Dimensions,
): void {
  const squared = error * error;
  const updateMean = (mean: number, count: number, memory: number) => {
    errors[count] = Math.min((errors[count] as number) + 1, memory * dimensions.hour);
    errors[mean] =
      (errors[mean] as number) + (squared - (errors[mean] as number)) / (errors[count] as number);
  };
  updateMean(hour, COUNT + hour, HOUR_MEMORY);
  updateMean(OVERALL, OVERALL + 1, OVERALL_MEMORY);
}
