import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { schemaFiles } from '../engine/schema-files.ts';
import type { Store } from '../engine/store.ts';
import type { BatchedChange } from './batched-change.ts';
import { type BatchProgress, batchUnderWay, runBatches } from './batches.ts';
import { migrate } from './migrate.ts';

const ROWS = 25;
const BATCH = 10;

/** Writes the length of each body into a new table, ten rows at a time. */
const measureBodies: BatchedChange = {
  key: '900_measure_bodies',
  count: async (reader) =>
    (await reader.get<{ n: number }>('select count(*) as n from pipeline_state'))?.n ?? 0,
  changeBatch: async (tx, position) => {
    const rows = await tx.all<{ key: string; body: string }>(
      `select key, body from pipeline_state where key > ? order by key limit ${BATCH}`,
      position,
    );
    await tx.insert(
      'body_lengths',
      rows.map(({ key, body }) => ({ key, length: body.length })),
    );
    return {
      position: rows.at(-1)?.key ?? position,
      changed: rows.length,
      finished: rows.length < BATCH,
    };
  },
};
const changes = [measureBodies];
const files = [
  ...schemaFiles,
  {
    key: '010_z',
    sql: 'create table body_lengths (key text primary key, length integer not null);',
    hash: 'x',
  },
];

async function fillAndUpgrade(store: Parameters<typeof migrate>[0]): Promise<void> {
  await store.transaction(async (tx) => {
    const rows = Array.from({ length: ROWS }, (_, n) => ({
      district: '',
      key: `k${String(n).padStart(2, '0')}`,
      body: 'x'.repeat(n),
    }));
    await tx.insert('pipeline_state', rows);
  });
  await migrate(store, 5, { files, batches: changes });
}

const lengths = async (store: Store) =>
  (await store.all<{ length: number }>('select length from body_lengths order by key')).map(
    ({ length }) => length,
  );

describeStores('changes in batches', (makePlace) => {
  test('go on where a stop or a failure left them, and say how far they are', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await fillAndUpgrade(store);
    const seen: BatchProgress[] = [];
    const stop = new AbortController();
    const onBatch = (progress: BatchProgress) => {
      seen.push(progress);
      stop.abort();
    };
    assert.deepEqual({ ...(await batchUnderWay(store)) }, { key: measureBodies.key, done: 0, total: ROWS });
    await runBatches(store, { clock: () => 6, changes, pauseMs: 0, signal: stop.signal, onBatch });
    assert.deepEqual(
      { ...(await batchUnderWay(store)) },
      { key: measureBodies.key, done: BATCH, total: ROWS },
    );
    const failing: BatchedChange = {
      ...measureBodies,
      changeBatch: async (tx, position) => {
        await measureBodies.changeBatch(tx, position);
        throw new Error('killed');
      },
    };
    await assert.rejects(runBatches(store, { clock: () => 7, changes: [failing], pauseMs: 0 }), /killed/);
    assert.equal((await lengths(store)).length, BATCH);
    await runBatches(store, { clock: () => 8, changes, pauseMs: 0, onBatch: (at) => seen.push(at) });
    assert.deepEqual(
      seen.map(({ done }) => done),
      [10, 20, 25],
    );
    assert.equal(await batchUnderWay(store), undefined);
    assert.deepEqual(
      await lengths(store),
      Array.from({ length: ROWS }, (_, n) => n),
    );
  });

  test('are made once by several processes', async (t) => {
    const stores = await openStores(t, makePlace, 4);
    const [store] = stores;
    assert.ok(store);
    await fillAndUpgrade(store);
    let batches = 0;
    const count = () => {
      batches += 1;
    };
    await Promise.all(
      stores.map((one) => runBatches(one, { clock: () => 9, changes, pauseMs: 1, onBatch: count })),
    );
    assert.equal(batches, 3);
    assert.equal((await lengths(store)).length, ROWS);
  });

  test('have nothing to do in a new store', async (t) => {
    const [store] = await openStores(t, makePlace, 1, false);
    assert.ok(store);
    await migrate(store, 1, { files, batches: changes });
    assert.equal(await batchUnderWay(store), undefined);
  });
});
