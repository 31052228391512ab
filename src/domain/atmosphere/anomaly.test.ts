import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyHourNorm, isAnomalous, updateHourNorm } from './anomaly.ts';

const usual = [0.38, 0.42, 0.4, 0.39, 0.41, 0.4, 0.43, 0.37].reduce(
  (norm, stress) => updateHourNorm(norm, { stress, calm: 1 - stress, primary_state: 'calm-social' }, stress),
  emptyHourNorm,
);

test('an anomaly is far from this pocket’s own norm, in stress or in crowd', () => {
  const table: [stress: number, crowd: number | null, anomalous: boolean][] = [
    [0.4, 0.4, false],
    [0.54, 0.4, false],
    [0.56, 0.4, true],
    [0.2, 0.4, true],
    [0.4, 0.599, true],
    [0.4, 0.57, false],
    [0.4, null, false],
  ];
  for (const [stress, crowd, expected] of table) {
    assert.equal(isAnomalous(usual, stress, crowd), expected, `${stress} ${crowd}`);
  }
});

test('nothing is anomalous before there is a norm', () => {
  assert.equal(isAnomalous(emptyHourNorm, 1, 5), false);
});

test('a missing crowd leaves its norm unchanged', () => {
  assert.deepEqual(
    updateHourNorm(usual, { stress: 0.5, calm: 0.5, primary_state: 'calm-social' }, null).crowd,
    usual.crowd,
  );
});

test('the share of calm states counts every reading alike', () => {
  const states = ['calm-social', 'calm-productive', 'busy-productive', 'calm-restful'] as const;
  const norm = states.reduce(
    (before, primary_state) => updateHourNorm(before, { stress: 0.4, calm: 0.6, primary_state }, null),
    emptyHourNorm,
  );
  assert.ok(Math.abs(norm.calm_share - 0.75) < 1e-9);
});
