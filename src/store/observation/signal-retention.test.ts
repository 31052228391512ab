import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { keepFrom, LEAST_KEPT_DAYS } from '../../domain/signals/retention.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import type { Store } from '../engine/store.ts';
import {
  countSignalsBefore,
  raiseKeptFrom,
  removeOldSignals,
  signalsKeptFrom,
  signalTables,
} from './signal-retention.ts';

const first = 1000 * DAY;
const sample = (slot: number) => ({
  env_snapshots: { slot, pocket_id: 'a', completeness_milli: 1000, substrate: 1, provenance: 'a' },
  provenance_packs: { slot, name: 'a', provenance: new Uint8Array(1) },
  outlet_activity: { slot, first_outlet: 1, shares: 501 },
  citizen_senses: { slot, pocket_id: 'a', word: 1, people: 5, source: 'o' },
});

/** A row of each table in each of so many slots. */
const writeSlots = (store: Store, slots: number): Promise<void> =>
  store.transaction(async (tx) => {
    for (const table of signalTables)
      await tx.insert(
        table,
        Array.from({ length: slots }, (_, n) => sample(first + n * SLOT)[table]),
      );
  });

const slotsLeft = async (store: Store, table: string): Promise<number[]> =>
  (await store.all<{ slot: number }>(`select slot from ${table} order by slot`)).map(({ slot }) => slot);

const removeAll = async (store: Store, table: (typeof signalTables)[number]): Promise<number[]> => {
  const batches: number[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const after: number = from;
    const { rows, next } = await store.transaction((tx) => removeOldSignals(tx, table, after));
    if (rows > 0) batches.push(rows);
    from = next;
  }
  return batches;
};

describeStores('raw signals', (makePlace) => {
  test('go only once it is written down from when on they are kept, and only older ones', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeSlots(store, 4);
    assert.equal(await signalsKeptFrom(store), null);
    for (const table of signalTables) {
      const refused = new RegExp(`${table} is append-only`);
      assert.deepEqual(await removeAll(store, table), []);
      await assert.rejects(
        store.transaction((tx) => tx.run(`delete from ${table}`)),
        refused,
      );
    }
    const keptFrom = first + 2 * SLOT;
    await store.transaction((tx) => raiseKeptFrom(tx, keptFrom));
    await store.transaction((tx) => raiseKeptFrom(tx, first));
    assert.equal(await signalsKeptFrom(store), keptFrom);
    for (const table of signalTables) {
      const refused = new RegExp(`${table} is append-only`);
      for (const sql of [`delete from ${table}`, `update ${table} set slot = 0`])
        await assert.rejects(
          store.transaction((tx) => tx.run(sql)),
          refused,
        );
      assert.equal(await countSignalsBefore(store, table, keptFrom), 2);
      assert.deepEqual(await removeAll(store, table), [2]);
      assert.deepEqual(await slotsLeft(store, table), [keptFrom, keptFrom + SLOT]);
    }
  });

  test('go in batches of some thousand rows, each removed once by several processes', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const [store] = stores;
    assert.ok(store);
    await writeSlots(store, 12_001);
    await store.transaction((tx) => raiseKeptFrom(tx, first + 12_000 * SLOT));
    const batches = await Promise.all(stores.map((one) => removeAll(one, 'outlet_activity')));
    assert.deepEqual(
      batches.flat().sort((a, b) => b - a),
      [5000, 5000, 2000],
    );
    assert.deepEqual(await slotsLeft(store, 'outlet_activity'), [first + 12_000 * SLOT]);
  });
});

test('the time from which on signals are kept is a day that ended before the newest by as many days', () => {
  const newest = 2000 * DAY + 7 * SLOT;
  assert.equal(keepFrom(newest, newest + DAY, 400), 1600 * DAY);
  // A clock that is behind, or signals of a time to come, let nothing go too early.
  assert.equal(keepFrom(newest, newest - DAY, 400), 1599 * DAY);
  // Three months, which a report compares, after the longest outage that is made up.
  assert.ok(LEAST_KEPT_DAYS >= 92 + 92 + 1);
});
