import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aboutMinutes, percentAgainst, roundAgainst } from './figures.ts';

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
  fc.assert(
    fc.property(fc.integer({ max: 10_000, min: 0 }), fc.integer({ max: 100, min: 0 }), (n, limit) => {
      const [value, threshold] = [n / 10_000, limit / 100];
      assert.equal(Number(roundAgainst(value, threshold)) >= threshold, value >= threshold);
    }),
  );
});

test('a percentage is whole, unless that would carry it across the limit', () => {
  const table: [share: number, shown: string][] = [
    [0.295, '30%'],
    [0.29, '29%'],
    [0.8, '80%'],
    [0.804, '80.4%'],
    [0.797, '79.7%'],
    [0.83, '83%'],
    [0.004, 'under 1%'],
    [0, '0%'],
    [1, '100%'],
  ];
  for (const [share, shown] of table) assert.equal(percentAgainst(share, 0.8), shown);
});

test('an estimated duration is given to five minutes', () => {
  for (const [minutes, shown] of [
    [91, '90 minutes'],
    [88, '90 minutes'],
    [14, '15 minutes'],
    [1, '5 minutes'],
  ] as const)
    assert.equal(aboutMinutes(minutes), shown);
});
