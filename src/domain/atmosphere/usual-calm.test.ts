import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyNorm, updateNorm } from '../stats/norm.ts';
import { type AgainstUsual, compareWithUsual, usualCalm } from './usual-calm.ts';

test('the usual calm is the mean of the hour, once it has eight readings', () => {
  const seven = Array(7).fill(0.6).reduce(updateNorm, emptyNorm);
  assert.equal(usualCalm(seven), null);
  assert.equal(usualCalm(updateNorm(seven, 0.68)), 0.61);
  assert.equal(usualCalm(undefined), null);
});

test('a difference of less than 0.05 is as usual', () => {
  const table: [level: number | null, usual: number | null, expected: AgainstUsual | null][] = [
    [0.65, 0.6, 'calmer'],
    [0.649, 0.6, 'as_usual'],
    [0.551, 0.6, 'as_usual'],
    [0.55, 0.6, 'less_calm'],
    [null, 0.6, null],
    [0.6, null, null],
  ];
  for (const [level, usual, expected] of table) assert.equal(compareWithUsual(level, usual), expected);
});
