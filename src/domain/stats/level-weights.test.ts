import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelWeights } from './level-weights.ts';

test('a value counts for the levels around it, by its distance from them', () => {
  const table: [value: number, weights: [index: number, weight: number][]][] = [
    [0, [[0, 1]]],
    [1, [[0, 1]]],
    [
      1.25,
      [
        [0, 0.75],
        [1, 0.25],
      ],
    ],
    [2, [[1, 1]]],
    [
      3,
      [
        [1, 0.5],
        [2, 0.5],
      ],
    ],
    [4, [[2, 1]]],
    [9, [[2, 1]]],
  ];
  for (const [value, weights] of table)
    assert.deepEqual(
      levelWeights([1, 2, 4], value).map(({ index, weight }) => [index, weight]),
      weights,
      `${value}`,
    );
});
