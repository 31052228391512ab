import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { absoluteZScore, emptyNorm, MIN_SAMPLES, updateNorm } from './norm.ts';

const learnAll = (values: number[]) => values.reduce(updateNorm, emptyNorm);

test('up to its memory a norm is the ordinary mean and variance', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 32 }),
      (values) => {
        const mean = values.reduce((a, b) => a + b, 0) / values.length;
        const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
        const norm = learnAll(values);
        assert.ok(Math.abs(norm.mean - mean) < 1e-6);
        assert.ok(Math.abs(norm.variance - variance) < 1e-3);
      },
    ),
  );
});

test('an old level is forgotten', () => {
  const moved = learnAll([...Array(200).fill(0), ...Array(200).fill(10)]);
  assert.ok(moved.mean > 9.9 && moved.variance < 1);
});

test('the z-score is null with few samples, and finite for samples without spread', () => {
  const flat = Array<number>(MIN_SAMPLES).fill(0.5);
  assert.equal(absoluteZScore(learnAll(flat.slice(1)), 0.9, 0.1), null);
  assert.equal(absoluteZScore(learnAll(flat), 0.9, 0.1), 4);
});
