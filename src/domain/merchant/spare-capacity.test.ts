import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spareCapacity } from './spare-capacity.ts';

test('spare capacity is the unused share; null for a closed outlet', () => {
  for (const [activity, spare_capacity] of [
    [null, null],
    [0, null],
    [0.25, 0.75],
    [1, 0],
    [1.2, 0],
  ] as const)
    assert.equal(spareCapacity(activity), spare_capacity);
});
