import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { checkLedger } from './check-ledger.ts';

describeStores('GET /api/ledger/check', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeForecasts(store, [
      { slot: NOON - SLOT, score: 0.75 },
      { slot: NOON, calm: 0.6 },
    ]),
  );
  const id = 'tiongbahru-20261111T0400Z.pocket_projection_60m';
  const check = (q: string) => askOperation(checkLedger, store(), NOON, { query: q });
  const found = async (q: string) => {
    const { kind, verdict, entries } = (await check(q)).structured;
    return [kind, verdict, entries.map((entry) => [entry.id, entry.matched])];
  };

  test('an entry is found by its id, by either hash, and by the beginning of one', async () => {
    const { structured, text } = await check(id);
    const [entry] = structured.entries;
    assert.ok(entry);
    assert.deepEqual([structured.verdict, entry.leaf_index, structured.tree_size], ['in_log', 2, 3]);
    assert.equal(text, 'it is in the log as leaf 2.');
    const cases: [q: string, matched: string][] = [
      [entry.payload_hash, 'payload_hash'],
      [entry.payload_hash.slice(7, 15), 'payload_hash'],
      [entry.leaf_hash, 'leaf_hash'],
      [entry.leaf_hash.slice(0, 8).toUpperCase(), 'leaf_hash'],
      [entry.leaf_hash.slice(0, 20), 'leaf_hash'],
    ];
    for (const [q, matched] of cases)
      assert.deepEqual(await found(q), ['hash', 'in_log', [[id, matched]]], q);
    const other = `${entry.payload_hash.slice(7, 15)}${'0'.repeat(8)}`;
    assert.deepEqual(await found(other), ['hash', 'not_in_log', []]);
  });

  test('a receipt is compared with the log, field by field', async () => {
    const [entry] = (await check(id)).structured.entries;
    assert.ok(entry);
    const receipt = (changed: object) => check(JSON.stringify({ ...entry, ...changed }));
    const agreed = (await receipt({})).structured;
    assert.deepEqual([agreed.kind, agreed.verdict], ['receipt', 'in_log']);
    assert.deepEqual(
      agreed.checks.map(({ field, holds }) => [field, holds]),
      ['id', 'type', 'payload_hash', 'leaf_hash', 'leaf_index', 'payload'].map((field) => [field, true]),
    );
    const { structured, text } = await receipt({ payload: { ...entry.payload, confidence: 0.99 } });
    assert.equal(structured.verdict, 'differs');
    assert.deepEqual(
      structured.checks.filter(({ holds }) => !holds),
      [{ field: 'payload', holds: false }],
    );
    assert.equal(text, 'the log holds it as leaf 2, with other content.');
    // Without an id, an entry is found by what its payload hashes to.
    assert.deepEqual(await found(JSON.stringify({ payload: entry.payload })), [
      'receipt',
      'in_log',
      [[id, 'payload_hash']],
    ]);
  });

  test('what is not in the log, and what is hostile, is answered', async () => {
    const nested = `{"payload":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`;
    for (const q of ['nobody-20261111T0400Z', 'f'.repeat(64), '{"submission_id":"none"}', nested])
      assert.equal((await check(q)).structured.verdict, 'not_in_log', q.slice(0, 40));
    for (const q of ["'; drop table silences; --", '{', '<b>', 'abc', '%'])
      assert.equal((await check(q)).structured.verdict, 'unreadable', q);
  });
});
