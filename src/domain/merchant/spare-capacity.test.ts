import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spareCapacity } from './spare-capacity.ts';

test('room is what is not in use; a closed outlet has none to speak of', () => {
  for (const [activity, spare_capacity] of [
    [null, null],
    [0, null],
    [0.25, 0.75],
    [1, 0],
    [1.2, 0],
  ] as const)
    assert.equal(spareCapacity(activity), spare_capacity);
});
