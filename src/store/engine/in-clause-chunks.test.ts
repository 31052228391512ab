import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inClause, inClauseChunks } from './in-clause-chunks.ts';

test('every chunk has the same length, filled up with the last item', () => {
  const length = inClause.split(', ').length;
  const items = Array.from({ length: 2 * length + 3 }, (_, n) => n);
  const lists = [...inClauseChunks(items)];
  assert.deepEqual(
    lists.map((list) => list.length),
    [length, length, length],
  );
  assert.deepEqual([...new Set(lists.flat())], items);
  assert.equal(lists[2]?.at(-1), items.at(-1));
  assert.deepEqual([...inClauseChunks([])], []);
});
