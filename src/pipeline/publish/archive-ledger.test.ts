import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { TEST_TIME, testLedger } from '../../../test/support/stores/test-ledger.ts';
import { DAY } from '../../domain/time/slot.ts';
import { readNote } from '../../ledger/checkpoint.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Engine } from '../../store/engine/store.ts';
import { advanceHistory, beginHistory, finishHistory } from '../../store/runtime/history.ts';
import { folderStorage } from '../../store/storage/folder-storage.ts';
import type { LedgerStorage } from '../../store/storage/ledger-storage.ts';
import { archiveLedger, lastCompleteCheckpoint } from './archive-ledger.ts';

function makeStorage(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folderStorage(join(folder, 'ledger'));
}

/** So many entries of each day, one day after the other. */
async function appendDays(store: Engine, counts: readonly number[]): Promise<void> {
  let now = TEST_TIME;
  const log = testLedger(() => now);
  for (const count of counts) {
    await store.transaction(async (tx) => {
      const rows = Array.from({ length: count }, (_, n) => ({ id: `row-${now}-${n}`, payload: { n } }));
      await log.append(tx, 'silence', rows);
      await log.write(tx);
    });
    now += DAY;
  }
}

const { signal } = new AbortController();

async function archiveBefore(
  store: Engine,
  storage: LedgerStorage,
  before: number,
  onStep: (done: number, total: number) => void = () => undefined,
) {
  const last = await lastCompleteCheckpoint(store, before);
  return last && archiveLedger({ store, storage, signal }, last, onStep);
}

describeStores('archiving', (makePlace) => {
  test('ends with the last checkpoint before the time, in steps that are each a whole log', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const day = 50 * TILE_WIDTH + 3;
    await appendDays(store, [day, day, day, 5]);
    const storage = makeStorage(t);
    for (const [before, days] of [
      [TEST_TIME, 0],
      [TEST_TIME + 1, 1],
      [TEST_TIME + DAY, 1],
      [TEST_TIME + 3 * DAY, 3],
    ] as const) {
      const steps: number[] = [];
      const archived = await archiveBefore(store, storage, before, (done, total) => {
        assert.equal(total, days * day);
        steps.push(done);
      });
      const expected = { entries: days * day, written_until: TEST_TIME + (days - 1) * DAY };
      assert.deepEqual(archived, days === 0 ? undefined : expected);
      const note = (await storage.get('checkpoint'))?.bytes;
      assert.equal(note && readNote(`${note}`).size, days === 0 ? undefined : days * day);
      if (days === 3) assert.deepEqual(steps, [2 * day, 3 * day, 3 * day]);
    }
  });

  test('takes nothing of a history that was still being written', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await appendDays(store, [10, 10, 10]);
    const storage = makeStorage(t);
    const archive = (days: number) => archiveBefore(store, storage, TEST_TIME + days * DAY);
    await store.transaction(async (tx) => {
      await beginHistory(tx, { from: 0, until: TEST_TIME, now: TEST_TIME });
      await advanceHistory(tx, { reached: TEST_TIME, now: TEST_TIME, leaves: 20 });
    });
    assert.equal(await archive(3), undefined);
    await store.transaction(finishHistory);
    assert.equal(await archive(1), undefined);
    assert.equal(await storage.get('checkpoint'), undefined);
    assert.equal((await archive(2))?.entries, 20);
    assert.equal((await archive(3))?.entries, 30);
  });
});
