import type { BufferLayout } from '../buffer-layout.ts';
import type { Dimensions } from '../design.ts';
import { featureCount } from '../features.ts';
import { calmFeatures } from './calm-model.ts';

/**
 * Forecasts the probability of each class: a softmax over the class experts, the inputs (features and calm features)
 * and a bias of each place, trained by AdaGrad on the log loss. The numbers are written in class-experts.ts.
 */

/** The class experts, each with one learned weight for all classes. Order and names are part of the saved state. */
export const classExpertNames = [
  // The log probability that the level falls in the class.
  'level',
  // Log frequencies of the class: by class now, hour and kind of day; by hour and kind of day alone.
  'table',
  'share',
  // 1 for the class now, a week and a day before the target.
  'persistence',
  'last_week',
  'yesterday',
] as const;
const EXPERTS = classExpertNames.length;

/** One for each horizon, shared by all places. */
export interface ClassModel {
  /** A weight for each expert, then for each class and input. */
  weights: Float64Array;
  /** For each weight, the sum of the squared gradients of its past steps. */
  squaredGradients: Float64Array;
}

/** The part of the class model that belongs to one place, for each horizon. */
export interface PlaceClassModel {
  /**
   * How often each class followed: by class when forecast (0 if unknown), hour and kind of day of the target,
   * outcome.
   */
  counts: Uint8Array;
  biases: Float64Array;
  biasSquaredGradients: Float64Array;
}

const HOURS = 24;
const DAY_KINDS = 2;

const inputCount = (dimensions: Dimensions): number => featureCount(dimensions) + calmFeatures.length;

/** Initial weights of the first two experts: the level is believed, the table a little; everything else starts at 0. */
const INITIAL_WEIGHTS = [1, 0.2];

export function newClassModel(layout: BufferLayout, dimensions: Dimensions): ClassModel {
  const size = EXPERTS + dimensions.classes * inputCount(dimensions);
  const model = { weights: layout.f64(size), squaredGradients: layout.f64(size).fill(1) };
  model.weights.set(INITIAL_WEIGHTS);
  return model;
}

export const newPlaceClassModel = (layout: BufferLayout, dimensions: Dimensions): PlaceClassModel => ({
  counts: layout.u8((dimensions.classes + 1) * HOURS * DAY_KINDS * dimensions.classes),
  biases: layout.f64(dimensions.classes),
  biasSquaredGradients: layout.f64(dimensions.classes).fill(1),
});

/** The row of `counts`; `classCode` is the class when forecast + 1, or 0 if unknown. */
export const tableRowIndex = (classCode: number, hour: number, restDay: number): number =>
  (classCode * HOURS + hour) * DAY_KINDS + restDay;

/** The shares of the hour are a prior of the table that counts as two outcomes. */
const PRIOR_OUTCOMES = 2;
/** Added to each count of an hour, so that no share is 0. */
const SHARE_PRIOR = 0.5;

/** Writes the share of each class in a row of the table, and at its hour whatever the class was when forecast. */
export function writeClassShares(
  { counts }: PlaceClassModel,
  row: number,
  dimensions: Dimensions,
  tableShares: Float64Array,
  hourShares: Float64Array,
): void {
  const k = dimensions.classes;
  const rows = HOURS * DAY_KINDS;
  let all = 0;
  for (let c = 0; c < k; c++) {
    let sum = SHARE_PRIOR;
    for (let code = 0; code <= k; code++) sum += counts[(code * rows + (row % rows)) * k + c] as number;
    hourShares[c] = sum;
    all += sum;
  }
  let total = PRIOR_OUTCOMES;
  for (let c = 0; c < k; c++) total += counts[row * k + c] as number;
  for (let c = 0; c < k; c++) {
    hourShares[c] = (hourShares[c] as number) / all;
    tableShares[c] = ((counts[row * k + c] as number) + PRIOR_OUTCOMES * (hourShares[c] as number)) / total;
  }
}

/** Counts an outcome. When a count is full its row is halved, so that old outcomes lose weight. */
export function countOutcome({ counts }: PlaceClassModel, row: number, outcome: number, k: number): void {
  const at = row * k + outcome;
  if (counts[at] === 255)
    for (let c = 0; c < k; c++) counts[row * k + c] = (counts[row * k + c] as number) >> 1;
  counts[at] = (counts[at] as number) + 1;
}

/** Writes probabilities that add up to 1. `experts` holds, expert by expert, a number for each class. */
export function writeClassProbabilities(
  { weights }: ClassModel,
  { biases }: PlaceClassModel,
  inputs: Float64Array,
  experts: Float64Array,
  probabilities: Float64Array,
): void {
  const k = probabilities.length;
  const size = inputs.length;
  let highest = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < k; c++) {
    let score = biases[c] as number;
    for (let e = 0; e < EXPERTS; e++) score += (weights[e] as number) * (experts[e * k + c] as number);
    const row = EXPERTS + c * size;
    for (let j = 0; j < size; j++) score += (weights[row + j] as number) * (inputs[j] as number);
    probabilities[c] = score;
    if (score > highest) highest = score;
  }
  let sum = 0;
  for (let c = 0; c < k; c++) {
    // Relative to the highest score, so that exp never overflows.
    const odds = Math.exp((probabilities[c] as number) - highest);
    probabilities[c] = odds;
    sum += odds;
  }
  for (let c = 0; c < k; c++) probabilities[c] = (probabilities[c] as number) / sum;
}

/** Learning rates. Inputs are many, move together and are mostly noise, so they learn more slowly than experts. */
const RATE = { expert: 0.05, input: 0.012 };
/** Errors below this are skipped to save time. */
const MIN_ERROR = 0.001;

/** One AdaGrad step on the log loss. `probabilities` is scratch space. */
export function updateClassModel(
  model: ClassModel,
  placeModel: PlaceClassModel,
  inputs: Float64Array,
  experts: Float64Array,
  probabilities: Float64Array,
  outcome: number,
  weight: number,
): void {
  writeClassProbabilities(model, placeModel, inputs, experts, probabilities);
  const errors = probabilities;
  const k = errors.length;
  errors[outcome] = (errors[outcome] as number) - 1;
  for (let e = 0; e < EXPERTS; e++) {
    let gradient = 0;
    for (let c = 0; c < k; c++) gradient -= (errors[c] as number) * (experts[e * k + c] as number);
    adagradStep(model.weights, model.squaredGradients, e, gradient * weight, RATE.expert);
  }
  for (let c = 0; c < k; c++) {
    const error = errors[c] as number;
    if (Math.abs(error) < MIN_ERROR) continue;
    const gradient = -error * weight;
    adagradStep(placeModel.biases, placeModel.biasSquaredGradients, c, gradient, RATE.expert);
    const row = EXPERTS + c * inputs.length;
    for (let j = 0; j < inputs.length; j++) {
      const x = inputs[j] as number;
      if (x !== 0) adagradStep(model.weights, model.squaredGradients, row + j, gradient * x, RATE.input);
    }
  }
}

/** Gradients are those of the log likelihood, so a step goes up. */
function adagradStep(
  weights: Float64Array,
  squaredGradients: Float64Array,
  at: number,
  gradient: number,
  rate: number,
): void {
  const sum = (squaredGradients[at] as number) + gradient * gradient;
  squaredGradients[at] = sum;
  weights[at] = (weights[at] as number) + (rate * gradient) / Math.sqrt(sum);
}
