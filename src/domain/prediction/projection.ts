/** The state projection and its score (docs/formulas.md, "Projection and its score"). */
import { type PrimaryState, primaryStates } from '../atmosphere/primary-state.ts';
import type { Forecast } from '../forecaster/index.ts';
import { clamp, ramp, round } from '../stats/unit-scale.ts';

/** A forecast of the state of a pocket, as it is sealed. Numbers have three decimals. */
export interface Projection {
  expected_state: PrimaryState;
  /** The probability that the pocket is in a calm state. */
  calm_probability: number;
  /** The expected calm of the reading, 0..1. */
  expected_calm: number;
  /** The probability of each state, in the order of `primaryStates`. */
  probabilities: number[];
}

export function toProjection({ classes, calm, value }: Forecast): Projection {
  const likeliest = classes.indexOf(Math.max(...classes));
  return {
    expected_state: primaryStates[likeliest] ?? 'mixed-transitional',
    calm_probability: round(calm),
    expected_calm: round(clamp(value ?? 0.5)),
    probabilities: classes.map((probability) => round(probability)),
  };
}

/** The share of the score for the right state; the rest is for calm, in full up to CLOSE off and 0 from FAR on. */
const STATE_SHARE = 0.6;
const CLOSE = 0.1;
const FAR = 0.5;

/** 0..1. A wrong state scores at most 0.4, so 0.5 or more means that the state was right. */
export function projectionScore(
  projection: { expected_state: string; expected_calm: number },
  observed: { primary_state: string; calm: number },
): number {
  const state = projection.expected_state === observed.primary_state ? STATE_SHARE : 0;
  const closeness = 1 - ramp(Math.abs(projection.expected_calm - observed.calm), CLOSE, FAR);
  return round(state + (1 - STATE_SHARE) * closeness);
}
