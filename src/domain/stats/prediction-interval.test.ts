import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MIN_ERRORS, predictionInterval } from './prediction-interval.ts';

/** -0.10, -0.09, … 0.09: of these 20, 16 are at most 0.08 in size. */
const errors = Array.from({ length: 20 }, (_, i) => (i - 10) / 100);

test('the example of docs/formulas.md', () => {
  assert.deepEqual(predictionInterval(0.62, errors), { low: 0.54, high: 0.7, n: 20 });
});

test('limits of the interval, and too few errors', () => {
  const few = errors.slice(1);
  const cases: [expected: number, errors: number[], interval: ReturnType<typeof predictionInterval>][] = [
    [0.62, [], null],
    [0.62, few, null],
    [0.02, errors, { low: 0, high: 0.1, n: 20 }],
    [0.99, errors, { low: 0.91, high: 1, n: 20 }],
    [0.5, Array(40).fill(0), { low: 0.5, high: 0.5, n: 40 }],
  ];
  for (const [expected, given, interval] of cases)
    assert.deepEqual(predictionInterval(expected, given), interval);
});

test('four of five past errors fit the interval, in any order of the errors', () => {
  const share = fc.double({ min: -0.4, max: 0.4, noNaN: true });
  const many = fc.array(share, { minLength: MIN_ERRORS, maxLength: 200 });
  fc.assert(
    fc.property(many, (past) => {
      const interval = predictionInterval(0.5, past);
      assert.ok(interval);
      const inside = past.filter((error) => Math.abs(error) <= interval.high - 0.5 + 0.0005).length;
      assert.ok(inside >= 0.8 * past.length);
      assert.deepEqual(predictionInterval(0.5, past.toReversed()), interval);
    }),
  );
});
