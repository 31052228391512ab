import type { BufferLayout } from '../buffer-layout.ts';

/**
 * A regression that is updated one sample at a time (recursive least squares with a forgetting factor). Besides the
 * coefficients θ it holds their covariance P. For a sample x with error e, weight w and forgetting factor λ:
 *
 *   g = w / (λ + w·xᵀPx),   θ ← θ + g·Px·e,   P ← (P − g·Px·xᵀP) / λ
 *
 * So a sample moves the coefficients that are still uncertain and leaves the settled ones nearly alone. λ = 1 never
 * forgets; λ just below 1 gives past samples exponentially decreasing weight. The initial P is the prior: how far each
 * coefficient is expected to lie from its initial value.
 */
export interface Regression {
  size: number;
  coefficients: Float64Array;
  /** The covariance of the coefficients: the rows of its upper triangle, one after the other. */
  covariance: Float64Array;
}

/**
 * With forgetting, P grows without bound in directions that no sample excites; above this it is not inflated further.
 */
const MAX_VARIANCE = 10;
/** The least p(1 − p) of a logistic update: even an outcome given 998 in 1000 still teaches something. */
const MIN_BERNOULLI_VARIANCE = 0.002;
const MAX_LOGIT = 12;

export function newRegression(
  layout: BufferLayout,
  size: number,
  priorVariance: (i: number) => number,
): Regression {
  const covariance = layout.f64((size * (size + 1)) / 2);
  const regression = { size, coefficients: layout.f64(size), covariance };
  for (let i = 0; i < size; i++) covariance[diagonalIndex(regression, i)] = priorVariance(i);
  return regression;
}

const diagonalIndex = ({ size }: { size: number }, i: number): number => i * size - (i * (i - 1)) / 2;

/** Random-walk drift: the coefficient may have moved by this variance since the last sample. */
export function addVariance(regression: Regression, i: number, variance: number): void {
  const at = diagonalIndex(regression, i);
  regression.covariance[at] = Math.min((regression.covariance[at] as number) + variance, MAX_VARIANCE);
}

export function dot({ size, coefficients }: Regression, x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (coefficients[i] as number) * (x[i] as number);
  return sum;
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
export const logit = (p: number): number => Math.log(p / (1 - p));
/** Limits x to −max..max. */
export const clampMagnitude = (x: number, max: number): number => (x > max ? max : x < -max ? -max : x);

export const predictLogit = (regression: Regression, x: Float64Array): number =>
  clampMagnitude(dot(regression, x), MAX_LOGIT);

/** One step of least squares on the sample (x, y). */
export const updateLinear = (
  regression: Regression,
  x: Float64Array,
  y: number,
  weight: number,
  forgetting: number,
): void => update(regression, x, y - dot(regression, x), weight, forgetting);

/**
 * One step of logistic regression as an extended Kalman filter: a least-squares step on the sigmoid's tangent at the
 * present prediction p, with the error (outcome − p) / p(1 − p) in logits and the weight p(1 − p).
 */
export function updateLogistic(
  regression: Regression,
  x: Float64Array,
  outcome: number,
  weight: number,
  forgetting: number,
): void {
  const p = sigmoid(predictLogit(regression, x));
  const variance = Math.max(p * (1 - p), MIN_BERNOULLI_VARIANCE);
  update(regression, x, (outcome - p) / variance, variance * weight, forgetting);
}

/** Px of the update under way; shared, since updates run one at a time and the largest has under 256 coefficients. */
const px = new Float64Array(256);

/** The formulas above, on the packed upper triangle. This is the inner loop of learning. */
function update(
  regression: Regression,
  x: Float64Array,
  error: number,
  weight: number,
  forgetting: number,
): void {
  const { size, coefficients, covariance } = regression;
  for (let i = 0; i < size; i++) px[i] = 0;
  let at = 0;
  let maxVariance = 0;
  for (let i = 0; i < size; i++) {
    const xi = x[i] as number;
    const variance = covariance[at++] as number;
    if (variance > maxVariance) maxVariance = variance;
    let sum = (px[i] as number) + variance * xi;
    for (let j = i + 1; j < size; j++) {
      const c = covariance[at++] as number;
      sum += c * (x[j] as number);
      px[j] = (px[j] as number) + c * xi;
    }
    px[i] = sum;
  }
  let xpx = 0;
  for (let i = 0; i < size; i++) xpx += (px[i] as number) * (x[i] as number);
  const gain = weight / (forgetting + weight * xpx);
  const inflation = maxVariance < MAX_VARIANCE ? 1 / forgetting : 1;
  at = 0;
  for (let i = 0; i < size; i++) {
    const gainOfCoefficient = gain * (px[i] as number);
    coefficients[i] = (coefficients[i] as number) + gainOfCoefficient * error;
    for (let j = i; j < size; j++, at++)
      covariance[at] = ((covariance[at] as number) - gainOfCoefficient * (px[j] as number)) * inflation;
  }
}
