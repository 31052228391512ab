import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suppressSmallCount } from './small-count-suppression.ts';

test('no count under five is shown', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, null].map(suppressSmallCount), [
    null,
    null,
    null,
    null,
    null,
    5,
    6,
    null,
  ]);
});
