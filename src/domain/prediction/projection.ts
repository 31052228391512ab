import { type PrimaryState, primaryStates } from '../atmosphere/primary-state.ts';
import type { Forecast } from '../forecaster/index.ts';
import { clamp, ramp, round } from '../stats/unit-scale.ts';

/** A forecast of the state of a pocket. */
export interface Projection {
  expected_state: PrimaryState;
  /** The chance that the pocket is calm then. */
  calm_probability: number;
  /** The level of calm expected, as a reading would give it. */
  expected_calm: number;
  /** The chance of each state, in the order of `primaryStates`. */
  probabilities: number[];
}

export function projectionOf({ classes, calm, value }: Forecast): Projection {
  const likeliest = classes.indexOf(Math.max(...classes));
  return {
    expected_state: primaryStates[likeliest] ?? 'mixed-transitional',
    calm_probability: round(calm),
    expected_calm: round(clamp(value ?? 0.5)),
    probabilities: classes.map((chance) => round(chance)),
  };
}

const STATE_SHARE = 0.6;
const CLOSE = 0.1;
const FAR = 0.5;

/** 1 for the right state and calm within 0.1; a wrong state keeps at most 0.4, calm counts less the farther it was off. */
export function projectionScore(
  said: { expected_state: string; expected_calm: number },
  seen: { primary_state: string; calm: number },
): number {
  const state = said.expected_state === seen.primary_state ? STATE_SHARE : 0;
  const closeness = 1 - ramp(Math.abs(said.expected_calm - seen.calm), CLOSE, FAR);
  return round(state + (1 - STATE_SHARE) * closeness);
}
