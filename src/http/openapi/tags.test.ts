import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../operations/all.ts';
import { groupNames } from './tags.ts';

test('every operation with an address is in a group of the docs', () => {
  const missing = operations.filter(({ name, rest }) => rest && !groupNames.has(name));
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
    'add them to a group of tags.ts',
  );
});
