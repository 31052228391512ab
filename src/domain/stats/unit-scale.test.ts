import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clamp, ramp, round, weightedMean } from './unit-scale.ts';

test('clamping, ramps and rounding', () => {
  assert.deepEqual([clamp(-1), clamp(0.4), clamp(2)], [0, 0.4, 1]);
  assert.deepEqual([ramp(5, 0, 10), ramp(-1, 0, 10), ramp(12, 45, 12), ramp(45, 45, 12)], [0.5, 0, 1, 0]);
  assert.deepEqual([round(0.12345), round(0.12345, 1)], [0.123, 0.1]);
  assert.ok(Object.is(round(-0.0001), 0));
});

test('a mean of nothing is null, and missing values leave their weight to the others', () => {
  assert.equal(weightedMean([]), null);
  assert.equal(weightedMean([[null, 1]]), null);
  assert.equal(
    weightedMean([
      [0.2, 1],
      [null, 5],
      [0.7, 4],
    ]),
    0.6,
  );
});
