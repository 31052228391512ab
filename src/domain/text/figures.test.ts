import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { percentAgainst, roundAgainst } from './figures.ts';

test('a value is never rounded across its threshold', () => {
  const table: [value: number, threshold: number, shown: string][] = [
    [0.496, 0.5, '0.496'],
    [0.4, 0.5, '0.40'],
    [0.49999, 0.5, '0.49999'],
    [0.5, 0.5, '0.50'],
    [0.504, 0.5, '0.504'],
    [0.506, 0.5, '0.51'],
    [0.999, 1, '0.999'],
    [1, 1, '1.00'],
    [0.3499, 0.35, '0.3499'],
    [69.996, 70, '69.996'],
  ];
  for (const [value, threshold, shown] of table) assert.equal(roundAgainst(value, threshold), shown);
});

test('no rounding shows a value as its threshold, or on the wrong side of it', () => {
  const number = (text: string): number => Number(text.replace('\u00a0%', ''));
  const anyShare = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000),
  );
  const anyLimit = fc.integer({ min: 0, max: 100 }).map((n) => n / 100);
  // Values close to the threshold are the hard ones.
  const near = fc
    .tuple(anyLimit, fc.double({ min: -0.01, max: 0.01, noNaN: true }))
    .map(([limit, by]): [number, number] => [Math.min(1, Math.max(0, limit + by)), limit]);
  fc.assert(
    fc.property(fc.oneof(fc.tuple(anyShare, anyLimit), near), ([value, limit]) => {
      const side = Math.sign(value - limit);
      assert.equal(Math.sign(Number(roundAgainst(value, limit)) - limit), side);
      assert.equal(roundAgainst(value, limit) === roundAgainst(limit, limit), side === 0);
      const shown = percentAgainst(value, limit);
      // Binary fractions of a percentage are exact to nine decimals only.
      if (!shown.startsWith('under') && Math.abs(value - limit) > 1e-9)
        assert.equal(Math.sign(number(shown) - number(percentAgainst(limit, limit))), side, shown);
    }),
    { numRuns: 2000 },
  );
});

test('a percentage is whole, unless that would carry it across the limit', () => {
  const table: [share: number, shown: string][] = [
    [0.295, '30\u00a0%'],
    [0.29, '29\u00a0%'],
    [0.8, '80\u00a0%'],
    [0.804, '80.4\u00a0%'],
    [0.797, '79.7\u00a0%'],
    [0.83, '83\u00a0%'],
    [0.004, 'under 1\u00a0%'],
    [0, '0\u00a0%'],
    [1, '100\u00a0%'],
  ];
  for (const [share, shown] of table) assert.equal(percentAgainst(share, 0.8), shown);
});
