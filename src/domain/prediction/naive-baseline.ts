import type { PrimaryState } from '../atmosphere/primary-state.ts';
import { hourOfDay } from '../time/sgt.ts';

/** What anyone would guess from the clock and the sky: the baseline that is sealed beside each forecast. */
export interface Guess {
  expected_state: PrimaryState;
  expected_calm: number;
}

type Row = readonly [until: number, state: PrimaryState, calm: number];

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

/** `raining` is said of the moment of sealing: a naive guess takes the weather as it is. */
export function naiveBaseline(target: number, rest: boolean, raining: boolean): Guess {
  const hour = hourOfDay(target);
  const [, expected_state, expected_calm] = (rest ? restday : workday).find(([until]) => hour < until) ?? [
    24,
    'calm-restful',
    0.9,
  ];
  if (raining && hour >= 7 && hour < 23) return { expected_state: 'rain-subdued', expected_calm: 0.6 };
  return { expected_state, expected_calm };
}
