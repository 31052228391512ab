import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonBytes } from './json-bytes.ts';

const same = (value: object) => assert.equal(jsonBytes(value).toString(), JSON.stringify(value));

test('are those of JSON.stringify, whatever is answered', () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), same));
});

test('are those of JSON.stringify for lists of any length, in the answer or in a field of it', () => {
  const rows = Array.from({ length: 3001 }, (_, n) => ({
    n,
    name: `Café — ${n}`,
    none: undefined,
    left: null,
  }));
  for (const length of [0, 1, 999, 1000, 1001, 2000, 2001, 3001]) {
    const list = rows.slice(0, length);
    same({ list });
    same({ before: 1, none: undefined, list, numbers: list.map(({ n }) => n), after: { list } });
    same({ content: [{ type: 'text', text: '"' }], structuredContent: { list, total: length }, _meta: {} });
    same({ deep: { deeper: { deepest: { list } } } });
  }
  same({ gaps: Array.from({ length: 2500 }, (_, n) => (n % 2 ? undefined : n)) });
  same({ at: new Date(0), empty: {}, nothing: undefined });
  same({ nothing: undefined });
});
