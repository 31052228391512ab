import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inClause, inClauseChunks } from './in-clause-chunks.ts';

test('every chunk has the same length, filled up with the last item', () => {
  const length = inClause.split(', ').length;
  const items = Array.from({ length: 2 * length + 3 }, (_, n) => n);
  const chunks = [...inClauseChunks(items)];
  assert.deepEqual(
    chunks.map((chunk) => chunk.length),
    [length, length, length],
  );
  assert.deepEqual([...new Set(chunks.flat())], items);
  assert.equal(chunks[2]?.at(-1), items.at(-1));
  assert.deepEqual([...inClauseChunks([])], []);
});
