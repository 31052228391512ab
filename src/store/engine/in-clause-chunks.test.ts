import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inClause, inClauseChunks } from './in-clause-chunks.ts';

test('chunks have one of a few lengths, filled up with the last item', () => {
  for (const [count, lengths] of [
    [0, []],
    [1, [10]],
    [10, [10]],
    [11, [100]],
    [101, [500]],
    [1003, [500, 500, 10]],
  ] as const) {
    const items = Array.from({ length: count }, (_, n) => n);
    const chunks = [...inClauseChunks(items)];
    assert.deepEqual(
      chunks.map((chunk) => chunk.length),
      lengths,
    );
    for (const chunk of chunks) assert.equal(inClause(chunk).split(', ').length, chunk.length);
    assert.deepEqual([...new Set(chunks.flat())], items);
    assert.equal(chunks.at(-1)?.at(-1), items.at(-1));
  }
});
