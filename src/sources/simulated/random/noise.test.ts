import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoize } from '../memoize.ts';
import { correlation, mean } from '../tiny-city.fixture.ts';
import { field, smooth } from './noise.ts';
import { hashText, mix, normal, poisson, uniform } from './random.ts';

const many = Array.from({ length: 20_000 }, (_, i) => i);
const near = (actual: number, expected: number, within: number) =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not within ${within} of ${expected}`);
const deviation = (values: number[]) => Math.sqrt(mean(values.map((v) => v * v)) - mean(values) ** 2);

test('hashes spread evenly', () => {
  const draws = many.map((i) => uniform(mix(7, i)));
  near(mean(draws), 0.5, 0.01);
  near(deviation(draws), Math.sqrt(1 / 12), 0.01);
  near(correlation(draws, draws.slice(1)), 0, 0.03);
  assert.notEqual(hashText('ab'), hashText('ba'));
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (a, b) => {
      const u = uniform(mix(a, b));
      return u >= 0 && u < 1;
    }),
  );
});

test('normals have mean 0 and deviation 1', () => {
  const draws = many.map((i) => normal(mix(3, i)));
  near(mean(draws), 0, 0.02);
  near(deviation(draws), 1, 0.02);
});

test('a poisson draw has the mean it was asked for', () => {
  near(mean(many.map((i) => poisson(2.5, uniform(mix(1, i)), 50))), 2.5, 0.05);
  assert.equal(poisson(0, 0.99, 9), 0);
  assert.equal(poisson(100, 0.99, 9), 9);
});

test('smooth noise varies as much between lattice points as on them, and never jumps', () => {
  for (const offset of [0, 0.25, 0.5]) {
    near(deviation(many.map((i) => smooth(9, i + offset))), 1, 0.03);
    near(deviation(many.map((i) => field(9, i + offset, offset, i / 7))), 1, 0.03);
  }
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (x) => {
      near(smooth(4, x), smooth(4, x + 0.001), 0.05);
      near(field(4, x, 2, 3), field(4, x + 0.001, 2.001, 3.001), 0.1);
    }),
  );
});

test('places close in space and time have similar values; distant ones do not', () => {
  const here = many.map((i) => field(5, 0.2, 0.4, i * 3));
  assert.ok(
    correlation(
      here,
      many.map((i) => field(5, 0.4, 0.5, i * 3 + 0.1)),
    ) > 0.8,
  );
  near(
    correlation(
      here,
      many.map((i) => field(5, 4.2, 0.4, i * 3)),
    ),
    0,
    0.03,
  );
});

test('the cache is bounded and does not change results', () => {
  let computed = 0;
  const square = memoize(3, (n) => {
    computed++;
    return n * n;
  });
  assert.deepEqual([1, 2, 3, 3, 2, 1].map(square), [1, 4, 9, 9, 4, 1]);
  assert.equal(computed, 3);
  assert.deepEqual([4, 1, 4].map(square), [16, 1, 16]);
  assert.equal(computed, 5);
});
