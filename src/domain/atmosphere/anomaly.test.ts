import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyHourNorm, isAnomalous, updateHourNorm } from './anomaly.ts';

const usual = [0.38, 0.42, 0.4, 0.39, 0.41, 0.4, 0.43, 0.37].reduce(
  (norm, stress) => updateHourNorm(norm, stress, stress * 1000),
  emptyHourNorm,
);

test('an anomaly is far from this pocket’s own norm, in stress or in footfall', () => {
  const table: [stress: number, footfall: number | null, anomalous: boolean][] = [
    [0.4, 400, false],
    [0.54, 400, false],
    [0.56, 400, true],
    [0.2, 400, true],
    [0.4, 599, true],
    [0.4, 570, false],
    [0.4, null, false],
  ];
  for (const [stress, footfall, expected] of table) {
    assert.equal(isAnomalous(usual, stress, footfall, 1000), expected, `${stress} ${footfall}`);
  }
});

test('nothing is anomalous before there is a norm', () => {
  assert.equal(isAnomalous(emptyHourNorm, 1, 5000, 1000), false);
});

test('a missing footfall leaves its norm unchanged', () => {
  assert.deepEqual(updateHourNorm(usual, 0.5, null).footfall, usual.footfall);
});
