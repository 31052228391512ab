// History written by a thread of its own: nobody who reads the store may tell, and what fails must not hang.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { everything } from '../../test/support/everything.ts';
import { testKey, testSigner } from '../../test/support/ledger.ts';
import { describeStores, type StorePlace } from '../../test/support/postgres.ts';
import { freshWorks, smallCity } from '../../test/support/small-city.ts';
import { openOne } from '../../test/support/store.ts';
import { migrate } from '../store/engine/migrate.ts';
import { openStore } from '../store/engine/open.ts';
import type { Transaction } from '../store/engine/store.ts';
import { LedgerLog } from '../store/ledger/ledger-log.ts';
import { backfill } from './backfill/backfill.ts';
import { historyThread } from './history-thread.ts';

const registry = smallCity(['joochiat', 'chipbee', 'hajilane']);
// Long enough for merchants to be asked, with the first of a month and a Monday for the reports.
const from = Date.parse('2026-10-26T21:00:00+08:00');
const now = Date.parse('2026-11-02T10:00:00+08:00');

async function open(t: TestContext, makePlace: () => Promise<StorePlace>) {
  const place = await makePlace();
  const store = openStore(place);
  await migrate(store, 0);
  const thread = historyThread({
    settings: { dataDir: place.dataDir, databaseUrl: place.databaseUrl },
    signer: { name: testSigner.name, key: testKey },
    registry,
    seed: registry.city.seed,
  });
  t.after(async () => {
    await thread.close();
    await store.close();
    await place.remove();
  });
  return { store, thread };
}

// A table that rows may also be deleted from.
const row = (slot: number) => ({ pocket_id: `pocket-${slot}`, slot, body: '' });
const written = (tx: Pick<Transaction, 'all'>) =>
  tx.all<{ slot: number }>('select slot from outlook_shifts order by slot');

describeStores('a thread that writes history', (makePlace) => {
  test('writes what one thread alone does', async (t) => {
    const alone = await openOne(t, makePlace);
    await backfill(freshWorks(alone, registry), { from, now });
    const { store, thread } = await open(t, makePlace);
    const { log, transaction } = thread;
    const works = freshWorks(store, registry);
    const behind = { ...works, ledger: new LedgerLog(log), store: { ...store, transaction } };
    await backfill(behind, { from, now }, undefined, thread);
    const [expected, found] = [await everything(alone), await everything(store)];
    for (const table of ['reveals', 'live_stories', 'brief_answers', 'weekly_reports', 'pocket_reports'])
      assert.ok(expected[table]?.length, `nothing in ${table}`);
    assert.ok(
      expected.brief_answers?.some((row) => row.includes('accepted')),
      'nothing was agreed on',
    );
    for (const [table, rows] of Object.entries(expected)) assert.deepEqual(found[table], rows, table);
  });

  test('a question sees every row that was handed over before it, and an answer can wait', async (t) => {
    const { store, thread } = await open(t, makePlace);
    const answered = await thread.transaction(async (tx) => {
      await tx.insert('outlook_shifts', [row(1), row(2)]);
      const early = written(tx);
      await tx.insert('outlook_shifts', [row(3)]);
      await tx.run('delete from outlook_shifts where slot = ?', 1);
      assert.deepEqual(await tx.get('select max(slot) as slot from outlook_shifts'), {
        slot: 3,
      });
      return [await early, await written(tx), await early].map((rows) => rows.map(({ slot }) => slot));
    });
    assert.deepEqual(answered, [
      [1, 2],
      [2, 3],
      [1, 2],
    ]);
    assert.deepEqual(
      (await written(store)).map(({ slot }) => slot),
      [2, 3],
    );
  });

  test('more than may wait at once is written all the same', async (t) => {
    const { store, thread } = await open(t, makePlace);
    const batch = 500;
    await thread.transaction(async (tx) => {
      for (let at = 0; at < 150 * batch; at += batch)
        await tx.insert(
          'outlook_shifts',
          Array.from({ length: batch }, (_, n) => row(at + n)),
        );
    });
    const counted = await store.get<object>(
      'select count(*) as count, max(slot) as last from outlook_shifts',
    );
    assert.deepEqual({ ...counted }, { count: 150 * batch, last: 150 * batch - 1 });
  });

  test('what cannot be written fails the next question or the end, and then nothing is left of it', async (t) => {
    const { store, thread } = await open(t, makePlace);
    const twice = async (tx: Transaction) => {
      await tx.insert('outlook_shifts', [row(1)]);
      await tx.insert('outlook_shifts', [row(1)]);
    };
    const failures: ((tx: Transaction) => Promise<unknown>)[] = [
      twice,
      (tx) => twice(tx).then(() => written(tx)),
      (tx) => twice(tx).then(() => tx.run('nonsense')),
      (tx) => tx.all('select nothing from nowhere'),
      (tx) => tx.script('nonsense'),
      async (tx) => {
        await tx.insert('outlook_shifts', [row(1)]);
        throw new Error('of its own accord');
      },
    ];
    for (const [n, fail] of failures.entries()) {
      await assert.rejects(thread.transaction(fail), Error, `failure ${n}`);
      assert.deepEqual(await written(store), [], `failure ${n}`);
    }
    await thread.transaction((tx) => tx.insert('outlook_shifts', [row(7)]));
    assert.equal((await written(store)).length, 1);
  });
});
