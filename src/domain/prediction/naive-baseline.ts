import type { PrimaryState } from '../atmosphere/primary-state.ts';

/**
 * The naive baseline: a forecast from the hour, the kind of day and the rain alone. It is sealed beside each projection
 * and scored alike, so that every accuracy can be compared with it (docs/formulas.md, "Naive baseline").
 */
export interface NaiveForecast {
  expected_state: PrimaryState;
  expected_calm: number;
}

/** Applies before the hour `until` of the local clock. */
type Row = readonly [until: number, state: PrimaryState, calm: number];

/** Written down by hand and never fitted, so that the baseline stays what it was when forecasts were sealed with it. */
const workday: readonly Row[] = [
  [7, 'calm-restful', 0.93],
  [9, 'mixed-transitional', 0.62],
  [12, 'calm-productive', 0.62],
  [14, 'busy-productive', 0.42],
  [17, 'calm-productive', 0.58],
  [22, 'lively-social', 0.4],
  [24, 'calm-social', 0.65],
];
const restday: readonly Row[] = [
  [8, 'calm-restful', 0.93],
  [11, 'calm-social', 0.62],
  [22, 'lively-social', 0.42],
  [24, 'calm-social', 0.65],
];

/**
 * `hour` of the local clock is the time forecast, `rest` its kind of day. `raining` is that at sealing: the baseline
 * assumes it lasts.
 */
export function naiveBaseline(hour: number, rest: boolean, raining: boolean): NaiveForecast {
  const [, expected_state, expected_calm] = (rest ? restday : workday).find(([until]) => hour < until) ?? [
    24,
    'calm-restful',
    0.9,
  ];
  if (raining && hour >= 7 && hour < 23) return { expected_state: 'rain-subdued', expected_calm: 0.6 };
  return { expected_state, expected_calm };
}
