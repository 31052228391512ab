import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pick } from './pick.ts';

test('fields are taken by their paths, those of lists from every row, in the order of the answer', () => {
  const answer = {
    at: 1,
    rows: [
      { id: 'a', in: { x: 1, y: 2 } },
      { id: 'b', in: null },
    ],
    _meta: {},
  };
  assert.deepEqual(pick(answer, ['rows.in.y', 'rows.id', 'at']), {
    at: 1,
    rows: [
      { id: 'a', in: { y: 2 } },
      { id: 'b', in: null },
    ],
  });
  assert.deepEqual(pick(answer, ['rows.in', 'rows.in.y']), { rows: [{ in: { x: 1, y: 2 } }, { in: null }] });
});

test('what is not there is left out', () => {
  assert.deepEqual(pick({ a: [] }, ['a.b', 'c.d']), { a: [] });
  assert.deepEqual(pick(null, ['a']), null);
});
