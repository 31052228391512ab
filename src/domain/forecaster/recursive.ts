import type { BufferLayout } from './buffer-layout.ts';

/**
 * Regression that learns one sample at a time. It keeps its coefficients and how uncertain each still is,
 * so that a sample moves what is unknown and leaves alone what is settled.
 */
export interface Learner {
  size: number;
  coefficients: Float64Array;
  /** The covariance of the coefficients: the rows of its upper triangle, one after the other. */
  covariance: Float64Array;
}

/** Recursive fits lose their footing when a variance runs away where nothing new is learned for long. */
const MOST_VARIANCE = 10;
/** An outcome given 998 in 1000 has little left to teach, but not nothing. */
const LEAST_VARIANCE = 0.002;
const MOST_LOGIT = 12;

export function newLearner(arena: BufferLayout, size: number, prior: (i: number) => number): Learner {
  const covariance = arena.f64((size * (size + 1)) / 2);
  const learner = { size, coefficients: arena.f64(size), covariance };
  for (let i = 0; i < size; i++) covariance[diagonal(learner, i)] = prior(i);
  return learner;
}

const diagonal = ({ size }: { size: number }, i: number): number => i * size - (i * (i - 1)) / 2;

/** Admits that a coefficient may have wandered by this much since the last sample. */
export function loosen(learner: Learner, i: number, variance: number): void {
  const at = diagonal(learner, i);
  learner.covariance[at] = Math.min((learner.covariance[at] as number) + variance, MOST_VARIANCE);
}

export function dot({ size, coefficients }: Learner, x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (coefficients[i] as number) * (x[i] as number);
  return sum;
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
export const logit = (p: number): number => Math.log(p / (1 - p));
export const within = (x: number, most: number): number => (x > most ? most : x < -most ? -most : x);

export const logitOf = (learner: Learner, x: Float64Array): number => within(dot(learner, x), MOST_LOGIT);

/** Least squares: `weight` says how much the sample counts, `keep` just under 1 lets old ones fade. */
export const learnLevel = (
  learner: Learner,
  x: Float64Array,
  y: number,
  weight: number,
  keep: number,
): void => correct(learner, x, y - dot(learner, x), weight, keep);

/** Logistic regression as an extended Kalman filter: a least-squares step on the line that touches the curve. */
export function learnChance(
  learner: Learner,
  x: Float64Array,
  outcome: number,
  weight: number,
  keep: number,
): void {
  const p = sigmoid(logitOf(learner, x));
  const variance = Math.max(p * (1 - p), LEAST_VARIANCE);
  correct(learner, x, (outcome - p) / variance, variance * weight, keep);
}

const reach = new Float64Array(256);

function correct(learner: Learner, x: Float64Array, error: number, weight: number, keep: number): void {
  const { size, coefficients, covariance } = learner;
  for (let i = 0; i < size; i++) reach[i] = 0;
  let at = 0;
  let largest = 0;
  for (let i = 0; i < size; i++) {
    const xi = x[i] as number;
    const own = covariance[at++] as number;
    if (own > largest) largest = own;
    let sum = (reach[i] as number) + own * xi;
    for (let j = i + 1; j < size; j++) {
      const c = covariance[at++] as number;
      sum += c * (x[j] as number);
      reach[j] = (reach[j] as number) + c * xi;
    }
    reach[i] = sum;
  }
  let spread = 0;
  for (let i = 0; i < size; i++) spread += (reach[i] as number) * (x[i] as number);
  const gain = weight / (keep + weight * spread);
  const grow = largest < MOST_VARIANCE ? 1 / keep : 1;
  at = 0;
  for (let i = 0; i < size; i++) {
    const pull = gain * (reach[i] as number);
    coefficients[i] = (coefficients[i] as number) + pull * error;
    for (let j = i; j < size; j++, at++)
      covariance[at] = ((covariance[at] as number) - pull * (reach[j] as number)) * grow;
  }
}
