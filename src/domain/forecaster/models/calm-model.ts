import type { BufferLayout } from '../buffer-layout.ts';
import type { Dimensions } from '../design.ts';
import { type Feature, featureCount, featureIndex } from '../features.ts';
import { newCalibration, updateCalibration } from './calibration.ts';
import type { UpdateWeights } from './level-model.ts';
import { newRegression, predictLogit, type Regression, updateLogistic } from './recursive-least-squares.ts';

/**
 * Forecasts the probability of calm by stacking. Each calm expert (learned logistic regressions and simple
 * methods) gives a logit; a further logistic regression, the stack, weighs them, and calibration corrects the
 * result. The values are written in calm-experts.ts, in the order of the lists below. Saved state depends on that
 * order and on the names, which are part of its fingerprint.
 */

/** The inputs of the calm model beyond the features, in this order after them. */
export const calmFeatures = [
  // How far the expected level lies below the calm edge: in scale units of its distribution, and in levels.
  'margin',
  'gap',
  // The logit of the share of calm at this step of the day.
  'calm_share',
  // How far the usual level lies below the calm edge.
  'usual_gap',
  // 1 for calm now, -1 for not calm, 0 for unknown.
  'calm_now',
  // The gap by each of the level experts.
  'pooled_gap',
  'hourly_gap',
  'placed_gap',
] as const;
type CalmFeature = (typeof calmFeatures)[number];

/** The experts that are stacked; the learned ones come first. */
export const calmExpertNames = [
  // Logistic regressions over all places, by hour of the target, by place.
  'pooled',
  'hourly',
  'placed',
  // The probability that the level falls below the calm edge, and two frequencies of the past.
  'margin',
  'table',
  'calm_share',
  // Yes or no: calm now, the level a week before the target, the usual level plus the present deviation.
  'persistence',
  'last_week',
  'ratio',
] as const;
const LEARNED_EXPERTS = 3;

/** One for each horizon, shared by all places. */
export interface CalmModel {
  pooled: Regression;
  hourly: Regression[];
  stack: Regression;
  calibration: Regression;
}

const HOURS = 24;
/** Prior variances of the coefficients. */
const PRIOR = { feature: 0.01, calmFeature: 0.3, hourly: 0.1, placed: 0.05, stack: 0.05 };
/** The margin enters halved: a coefficient of 2 starts from the logistic distribution of the expected level. */
const INITIAL_MARGIN_COEFFICIENT = 2;

/**
 * Indices, among the features and calm features, of those that one hour or one place has enough samples to learn
 * from.
 */
export const calmCoreIndices = (dimensions: Dimensions): Int32Array => {
  const feature = (name: Feature) => featureIndex(name);
  const calmFeature = (name: CalmFeature) => featureCount(dimensions) + calmFeatures.indexOf(name);
  return Int32Array.of(
    feature('one'),
    calmFeature('margin'),
    calmFeature('gap'),
    calmFeature('calm_share'),
    calmFeature('usual_gap'),
    feature('now'),
    feature('last_week'),
    feature('yesterday'),
    feature('sin'),
    feature('cos'),
  );
};
const CORE_SIZE = 10;
const CORE_MARGIN_INDEX = 1;

export function newCalmModel(layout: BufferLayout, dimensions: Dimensions): CalmModel {
  const count = featureCount(dimensions);
  const pooled = newRegression(layout, count + calmFeatures.length, (i) =>
    i < count ? PRIOR.feature : PRIOR.calmFeature,
  );
  pooled.coefficients[count + calmFeatures.indexOf('margin')] = INITIAL_MARGIN_COEFFICIENT;
  const stack = newRegression(layout, calmExpertNames.length + 1, () => PRIOR.stack);
  stack.coefficients.fill(1 / LEARNED_EXPERTS, 1, 1 + LEARNED_EXPERTS);
  return {
    pooled,
    hourly: Array.from({ length: HOURS }, () => newCoreRegression(layout, PRIOR.hourly)),
    stack,
    calibration: newCalibration(layout),
  };
}

/** The part of the calm model that belongs to one place, for each horizon. */
export const newPlaceCalmModel = (layout: BufferLayout): Regression =>
  newCoreRegression(layout, PRIOR.placed);

function newCoreRegression(layout: BufferLayout, priorVariance: number): Regression {
  const regression = newRegression(layout, CORE_SIZE, () => priorVariance);
  regression.coefficients[CORE_MARGIN_INDEX] = INITIAL_MARGIN_COEFFICIENT;
  return regression;
}

/** Writes the logits of the learned experts, which stand at indices 1 to 3. */
export function writeLearnedExperts(
  model: CalmModel,
  placeModel: Regression,
  hour: number,
  inputs: Float64Array,
  core: Float64Array,
  experts: Float64Array,
): void {
  experts[1] = predictLogit(model.pooled, inputs);
  experts[2] = predictLogit(model.hourly[hour] as Regression, core);
  experts[3] = predictLogit(placeModel, core);
}

export function updateCalmModel(
  model: CalmModel,
  placeModel: Regression,
  hour: number,
  inputs: Float64Array,
  core: Float64Array,
  experts: Float64Array,
  stackLogit: number,
  calm: number,
  { weight, forgetShared, forgetPlace, pooledSamples }: UpdateWeights,
): void {
  if (pooledSamples > 0)
    updateLogistic(model.pooled, inputs, calm, weight * pooledSamples, forgetShared ** pooledSamples);
  updateLogistic(model.hourly[hour] as Regression, core, calm, weight, forgetShared);
  updateLogistic(placeModel, core, calm, weight, forgetPlace);
  updateLogistic(model.stack, experts, calm, weight, forgetShared);
  updateCalibration(model.calibration, stackLogit, calm, weight);
}
