import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../test/support/services/verify-ledger.ts';
import { IdTable, idHash } from './ids.ts';
import { prediction, servedLog, verdictFault } from './testing/served-log.ts';

test('finds a hash again however many are added, and every leaf that has it', () => {
  const ids = new IdTable();
  for (let leaf = 0; leaf < 50_000; leaf++) assert.deepEqual(ids.add(idHash(`id-${leaf}`), leaf), []);
  for (const leaf of [0, 1, 4095, 4096, 49_999])
    assert.deepEqual(ids.add(idHash(`id-${leaf}`), 50_000), [leaf]);
  assert.deepEqual(ids.add(idHash('id-0'), 50_001), [0, 50_000]);
});

test('tells leaves apart that 32 bits cannot count', () => {
  const ids = new IdTable();
  ids.add(idHash('id'), 2 ** 32 + 7);
  assert.deepEqual(ids.add(idHash('id'), 2 ** 52), [2 ** 32 + 7]);
});

test('finds an id that was used before, in the same bundle or another', async () => {
  for (const [first, second] of [
    [3, 9],
    [3, 600],
  ] as const) {
    const log = servedLog();
    const rows = Array.from({ length: 700 }, (_, n) => prediction(n));
    rows[second] = { ...prediction(second), id: `prd_${first}` };
    log.append(rows);
    const verdict = await verifyLedger({ fetch: log.fetch });
    assert.deepEqual(verdictFault(verdict), ['duplicate_id', { leaf: second, id: `prd_${first}` }]);
    assert.match(verdict.ok ? '' : verdict.message, new RegExp(`row ${first} has the same id`));
  }
});
