import type { BufferLayout } from './buffer-layout.ts';
import { type Learner, learnChance, logitOf, loosen, newLearner, within } from './recursive.ts';

/**
 * The last word on a chance: what was said, in logits, is moved by a line that bends at these knots. Each knot is a
 * coefficient, learned from what came true when about that much was said, and free to wander as days go by.
 */
const KNOTS = [-4.5, -3, -2, -1, 0, 1, 2, 3, 4.5] as const;
const OUTERMOST = 4.5;
/** A seventh of a logit at the start; about a sixteenth more for each day that nothing comes true near a knot. */
const PRIOR = 0.02;
const DRIFT_PER_DAY = 0.004;

/** After the knots stands what was said, which counts as it is: its coefficient is 1 and has nothing to learn. */
const SAID = KNOTS.length;
const bent = new Float64Array(KNOTS.length + 1);

export function newCalibration(arena: BufferLayout): Learner {
  const calibration = newLearner(arena, KNOTS.length + 1, (i) => (i < SAID ? PRIOR : 0));
  calibration.coefficients[SAID] = 1;
  return calibration;
}

/** Once a slot, before its outcomes are learned. */
export function wander(calibration: Learner, stepsOfDay: number): void {
  for (let k = 0; k < KNOTS.length; k++) loosen(calibration, k, DRIFT_PER_DAY / stepsOfDay);
}

export const calibrated = (calibration: Learner, said: number): number => logitOf(calibration, between(said));

export const learnCalibration = (calibration: Learner, said: number, outcome: number, weight: number): void =>
  learnChance(calibration, between(said), outcome, weight, 1);

/** How near `said` lies to each of the two knots around it. */
function between(said: number): Float64Array {
  const at = within(said, OUTERMOST);
  let k = 0;
  while (k < KNOTS.length - 2 && at > (KNOTS[k + 1] as number)) k++;
  const from = KNOTS[k] as number;
  const share = (at - from) / ((KNOTS[k + 1] as number) - from);
  bent.fill(0);
  bent[k] = 1 - share;
  bent[k + 1] = share;
  bent[SAID] = said;
  return bent;
}
