import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addToRange, type OwnRange, rangeWithPrior } from './own-range.ts';

const HOUR = 3_600_000;
const hours = (...values: number[]): OwnRange => {
  let own: OwnRange | undefined;
  for (const [n, value] of values.entries()) own = addToRange(own, n * HOUR, value) ?? own;
  assert.ok(own);
  return own;
};

test('one value an hour is kept, for three weeks', () => {
  const first = hours(5);
  assert.equal(addToRange(first, HOUR / 2, 9), null);
  const month = hours(...Array.from({ length: 800 }, (_, n) => n));
  assert.deepEqual([month.values.length, month.values[0]], [504, 800 - 504]);
});

test('a range lies between nearly the least and nearly the greatest value', () => {
  const { low, high } = hours(...Array.from({ length: 101 }, (_, n) => n));
  assert.deepEqual([low, high], [5, 98]);
});

test('a prior counts as much as three days of the past', () => {
  const prior = { low: 0, high: 10 };
  assert.deepEqual(rangeWithPrior(undefined, prior), prior);
  const threeDays = hours(...Array.from({ length: 72 }, () => 20));
  assert.deepEqual(rangeWithPrior(threeDays, prior), { low: 10, high: 15 });
});

test('low is never above high', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
      const { low, high } = hours(...values);
      assert.ok(low <= high);
    }),
  );
});
