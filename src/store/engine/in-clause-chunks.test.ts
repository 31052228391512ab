import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLists, listed } from './in-clause-chunks.ts';

test('lists have one length, with the last item repeated', () => {
  const length = listed.split(', ').length;
  const items = Array.from({ length: 2 * length + 3 }, (_, n) => n);
  const lists = [...inLists(items)];
  assert.deepEqual(
    lists.map((list) => list.length),
    [length, length, length],
  );
  assert.deepEqual([...new Set(lists.flat())], items);
  assert.equal(lists[2]?.at(-1), items.at(-1));
  assert.deepEqual([...inLists([])], []);
});
