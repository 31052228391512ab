import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareRange } from './share-range.ts';

test('the range of a share narrows with the number of samples and stays within 0 and 1', () => {
  const cases: [share: number | null, n: number, range: [number, number] | null][] = [
    [0.5, 10, [0.237, 0.763]],
    [0.5, 100, [0.404, 0.596]],
    [0.5, 10_000, [0.49, 0.51]],
    [0, 10, [0, 0.278]],
    [1, 10, [0.722, 1]],
    [0.9, 0, null],
    [null, 10, null],
  ];
  for (const [share, n, range] of cases)
    assert.deepEqual(shareRange(share, n), range && { low: range[0], high: range[1] }, `${share} of ${n}`);
});
