import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MIN_ERRORS, predictionInterval } from './prediction-interval.ts';

/** -0.10, -0.09, … 0.09: of these 20, 16 are at most 0.08 in size. */
const misses = Array.from({ length: 20 }, (_, i) => (i - 10) / 100);

test('the example of docs/formulas.md', () => {
  assert.deepEqual(predictionInterval(0.62, misses), { low: 0.54, high: 0.7, n: 20 });
});

test('cases', () => {
  const few = misses.slice(1);
  const cases: [expected: number, misses: number[], likely: ReturnType<typeof predictionInterval>][] = [
    [0.62, [], null],
    [0.62, few, null],
    [0.02, misses, { low: 0, high: 0.1, n: 20 }],
    [0.99, misses, { low: 0.91, high: 1, n: 20 }],
    [0.5, Array(40).fill(0), { low: 0.5, high: 0.5, n: 40 }],
  ];
  for (const [expected, given, likely] of cases)
    assert.deepEqual(predictionInterval(expected, given), likely);
});

test('four of five past forecasts would have fallen into their band, in whatever order they came', () => {
  const share = fc.double({ min: -0.4, max: 0.4, noNaN: true });
  const many = fc.array(share, { minLength: MIN_ERRORS, maxLength: 200 });
  fc.assert(
    fc.property(many, (past) => {
      const band = predictionInterval(0.5, past);
      assert.ok(band);
      const within = past.filter((miss) => Math.abs(miss) <= band.high - 0.5 + 0.0005).length;
      assert.ok(within >= 0.8 * past.length);
      assert.deepEqual(predictionInterval(0.5, past.toReversed()), band);
    }),
  );
});
