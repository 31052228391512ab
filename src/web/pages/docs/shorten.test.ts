import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CHARACTERS, MAX_FIELDS, MAX_ROWS, shorten } from './shorten.ts';

test('lists keep their first rows, and what was left out is listed with its path', () => {
  const { value, cuts } = shorten({ entries: [{ tags: [1, 2, 3] }, { tags: [] }, {}, {}], n: 4 });
  assert.deepEqual(value, { entries: [{ tags: [1, 2] }, { tags: [] }], n: 4 });
  assert.deepEqual(cuts, ['entries: 2 of 4', 'entries[].tags: 2 of 3']);
});

test('long texts keep their beginning', () => {
  const { value } = shorten({ text: 'x'.repeat(MAX_CHARACTERS + 1), short: 'y' });
  assert.deepEqual(value, { text: `${'x'.repeat(MAX_CHARACTERS)}…`, short: 'y' });
});

test('an object with very many fields keeps the first of them', () => {
  const many = Object.fromEntries(Array.from({ length: MAX_FIELDS + 1 }, (_, at) => [`f${at}`, null]));
  const { value, cuts } = shorten({ paths: many });
  assert.deepEqual(value, { paths: { f0: null, f1: null } });
  assert.deepEqual(cuts, [`paths: ${MAX_ROWS} of ${MAX_FIELDS + 1}`]);
});

test('everything else stays as it is', () => {
  for (const value of [null, 0, false, '', [], {}, { a: { b: [null] } }])
    assert.deepEqual(shorten(value), { value, cuts: [] });
});
