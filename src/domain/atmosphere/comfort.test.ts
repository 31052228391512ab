import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measured, values } from '../../../test/support/rows/example-moment.ts';
import { computePressures } from '../signals/pressures.ts';
import { fixedScales } from '../signals/scales.ts';
import { comfortSignals, sumComfort } from './comfort.ts';

test('comfort is 1 less the pressure, and what was not measured is not counted', () => {
  const sums = sumComfort([measured, { values: { ...values, rain_mm: 1.5 }, crowd: null }], fixedScales);
  // A crowd of 0.4 leaves 0.6. Neither air nor parking was measured.
  assert.deepEqual(sums.crowd, { sum: 0.6, count: 1 });
  assert.deepEqual(sums.transit, { sum: 1.5, count: 2 });
  assert.deepEqual([sums.air.count, sums.parking.count], [0, 0]);
  assert.ok(Math.abs(sums.rain.sum - (1 + Math.exp(-1))) < 1e-9 && sums.rain.count === 2);
});

test('every pressure of the atmosphere has a comfort signal', () => {
  assert.deepEqual(Object.keys(computePressures(measured, fixedScales)).sort(), [...comfortSignals].sort());
});
