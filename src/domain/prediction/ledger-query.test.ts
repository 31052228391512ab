import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkReceipt, type QueryProblem, readLedgerQuery } from './ledger-query.ts';

const hex = 'ab12cd34'.repeat(8);
const id = 'holland-20261111T0345Z.pocket_projection_60m';
const uuid = '0b8f6a3e-8a3b-4a55-9d0e-5d6a7b8c9d0e';

test('what is pasted is told apart', () => {
  const cases: [text: string, read: object][] = [
    [id, { kind: 'id', id }],
    [` ${uuid}\n`, { kind: 'id', id: uuid }],
    ['silence:holland-20261111T0345Z', { kind: 'id', id: 'holland-20261111T0345Z' }],
    [`https://x.test/ledger/${id}`, { kind: 'id', id }],
    [`https://x.test/api/ledger/proof/${id}?a=1#b`, { kind: 'id', id }],
    ['/explanations/silence%3Aholland-20261111T0345Z', { kind: 'id', id: 'holland-20261111T0345Z' }],
    [hex, { kind: 'hash', hex }],
    [`sha256:${hex}`, { kind: 'hash', hex }],
    [hex.toUpperCase(), { kind: 'hash', hex }],
    [`${hex.slice(0, 32)}\n ${hex.slice(32)}`, { kind: 'hash', hex }],
    ['ab12cd34', { kind: 'hash', hex: 'ab12cd34' }],
    [`{"submission_id":"${uuid}"}`, { kind: 'receipt', receipt: { id: uuid } }],
    [
      `{"id":"${id}","payload_hash":"sha256:${hex}","leaf_index":7,"leaf_hash":"${hex}","type":"prediction","payload":{"a":1}}`,
      {
        kind: 'receipt',
        receipt: {
          id,
          type: 'prediction',
          payload_hash: `sha256:${hex}`,
          leaf_hash: hex,
          leaf_index: 7,
          payload: { a: 1 },
        },
      },
    ],
  ];
  for (const [text, read] of cases) assert.deepEqual(readLedgerQuery(text), read, text);
});

test('what cannot be looked up says what is wrong', () => {
  const cases: [text: string, problem: QueryProblem][] = [
    ['ab12cd3', 'hash_too_short'],
    [`${hex}0`, 'hash_too_long'],
    ['<script>', 'other_text'],
    ['', 'other_text'],
    ['x'.repeat(200), 'other_text'],
    ['{"id":', 'not_json'],
    ['{}', 'names_no_entry'],
    ['{"id":"<b>","payload_hash":"sha256:12","leaf_hash":7,"payload":[]}', 'names_no_entry'],
  ];
  for (const [text, problem] of cases)
    assert.deepEqual(readLedgerQuery(text), { kind: 'unreadable', problem }, text);
});

test('any text is read without an exception', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readLedgerQuery(text)));
});

test('each field of a receipt is compared with the log', () => {
  const entry = {
    id,
    type: 'prediction',
    payload_hash: `sha256:${hex}`,
    leaf_hash: 'f'.repeat(64),
    leaf_index: 7,
  };
  assert.deepEqual(checkReceipt({ id, payload: {} }, entry, `sha256:${hex}`), [
    { field: 'id', holds: true },
    { field: 'payload', holds: true },
  ]);
  assert.deepEqual(checkReceipt({ payload_hash: 'sha256:0', leaf_index: 8, payload: {} }, entry, null), [
    { field: 'payload_hash', holds: false },
    { field: 'leaf_index', holds: false },
    { field: 'payload', holds: false },
  ]);
});
