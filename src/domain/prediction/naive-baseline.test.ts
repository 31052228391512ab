import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { naiveBaseline } from './naive-baseline.ts';

/** The hour of a clock time, with the fraction. */
const at = (clock: string) => Number(clock.slice(0, 2)) + Number(clock.slice(3)) / 60;

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(naiveBaseline(at('13:00'), false, false), {
    expected_state: 'busy-productive',
    expected_calm: 0.42,
  });
  assert.deepEqual(naiveBaseline(at('13:00'), false, true), {
    expected_state: 'rain-subdued',
    expected_calm: 0.6,
  });
});

test('without rain, by the hour, on a working day and on a rest day', () => {
  for (const [clock, work, rest] of [
    ['00:00', 'calm-restful', 'calm-restful'],
    ['06:59', 'calm-restful', 'calm-restful'],
    ['07:00', 'mixed-transitional', 'calm-restful'],
    ['09:00', 'calm-productive', 'calm-social'],
    ['12:00', 'busy-productive', 'lively-social'],
    ['14:00', 'calm-productive', 'lively-social'],
    ['17:00', 'lively-social', 'lively-social'],
    ['22:00', 'calm-social', 'calm-social'],
    ['23:45', 'calm-social', 'calm-social'],
  ] as const) {
    assert.equal(naiveBaseline(at(clock), false, false).expected_state, work, clock);
    assert.equal(naiveBaseline(at(clock), true, false).expected_state, rest, `${clock} on a rest day`);
  }
});

test('rain changes the baseline by day and not by night', () => {
  for (const [clock, subdued] of [
    ['06:59', false],
    ['07:00', true],
    ['22:59', true],
    ['23:00', false],
  ] as const)
    assert.equal(naiveBaseline(at(clock), false, true).expected_state === 'rain-subdued', subdued, clock);
});

test('every quarter hour has a baseline', () => {
  for (let hour = 0; hour < 24; hour += 0.25) {
    const { expected_state, expected_calm } = naiveBaseline(hour, false, false);
    assert.ok(primaryStates.includes(expected_state) && expected_calm > 0 && expected_calm < 1);
  }
});
