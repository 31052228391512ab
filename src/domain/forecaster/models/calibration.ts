import type { BufferLayout } from '../buffer-layout.ts';
import {
  addVariance,
  clampMagnitude,
  newRegression,
  predictLogit,
  type Regression,
  updateLogistic,
} from './recursive-least-squares.ts';

/**
 * The last step of a calm forecast: corrects a probability that comes true more or less often than it says. The
 * correction is a linear spline of the predicted logit: calibrated = predicted + Σ coefficient_k · basis_k(predicted).
 * At most two basis functions are non-zero, those of the knots around the prediction, so an outcome teaches only the
 * correction near what was predicted. Each knot's coefficient drifts as a random walk, so a bias that changes is
 * followed. docs/forecast.md says why an offset and a slope were not enough.
 */
const KNOTS = [-4.5, -3, -2, -1, 0, 1, 2, 3, 4.5] as const;
const OUTERMOST = 4.5;
/** Variances, in logits squared: a standard deviation of a seventh at the start, of about a sixteenth for each day. */
const PRIOR_VARIANCE = 0.02;
const DRIFT_PER_DAY = 0.004;

/** After the knots comes the predicted logit itself. Its coefficient is fixed at 1: it has no variance and no drift. */
const IDENTITY = KNOTS.length;
const basis = new Float64Array(KNOTS.length + 1);

export function newCalibration(layout: BufferLayout): Regression {
  const calibration = newRegression(layout, KNOTS.length + 1, (i) => (i < IDENTITY ? PRIOR_VARIANCE : 0));
  calibration.coefficients[IDENTITY] = 1;
  return calibration;
}

/** Adds the drift of one slot to every knot; called once a slot, before the outcomes of the slot are learned. */
export function addCalibrationDrift(calibration: Regression, stepsPerDay: number): void {
  for (let k = 0; k < KNOTS.length; k++) addVariance(calibration, k, DRIFT_PER_DAY / stepsPerDay);
}

/** The corrected logit. */
export const calibrate = (calibration: Regression, predicted: number): number =>
  predictLogit(calibration, basisAt(predicted));

export const updateCalibration = (
  calibration: Regression,
  predicted: number,
  outcome: number,
  weight: number,
): void => updateLogistic(calibration, basisAt(predicted), outcome, weight, 1);

/** The basis functions at a predicted logit. The array is reused by the next call. */
function basisAt(predicted: number): Float64Array {
  const at = clampMagnitude(predicted, OUTERMOST);
  let k = 0;
  while (k < KNOTS.length - 2 && at > (KNOTS[k + 1] as number)) k++;
  const from = KNOTS[k] as number;
  const share = (at - from) / ((KNOTS[k + 1] as number) - from);
  basis.fill(0);
  basis[k] = 1 - share;
  basis[k + 1] = share;
  basis[IDENTITY] = predicted;
  return basis;
}
