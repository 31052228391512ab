import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import type { Store } from './store.ts';
import { throttledStore } from './throttled-store.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, slot) => ({ pocket_id: `pocket-${slot}`, slot, body: '' }));

/** Records how many rows each insert has. */
function countInserts(store: Store): { store: Store; inserts: number[] } {
  const inserts: number[] = [];
  return {
    inserts,
    store: {
      ...store,
      transaction: (work) =>
        store.transaction((tx) =>
          work({
            ...tx,
            insert: (table, batch, conflict) => {
              inserts.push(batch.length);
              return tx.insert(table, batch, conflict);
            },
          }),
        ),
    },
  };
}

describeStores('a throttled store', (makePlace) => {
  test('writes the same rows in small batches, and many rows at once', async (t) => {
    const { store, inserts } = countInserts(await openMigratedStore(t, makePlace));
    for (const count of [0, 40, 500]) {
      const written = await throttledStore(store).transaction(async (tx) => {
        await tx.run('delete from scenario_outlooks');
        await tx.insert('scenario_outlooks', rows(count));
        return tx.get<{ count: number }>('select count(*) as count from scenario_outlooks');
      });
      assert.equal(written?.count, count);
    }
    assert.deepEqual(inserts, [16, 16, 8, 500]);
  });

  test('rolls back all batches of a failed transaction', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const repeated = throttledStore(store).transaction((tx) =>
      tx.insert('scenario_outlooks', [...rows(40), ...rows(1)]),
    );
    await assert.rejects(repeated);
    assert.deepEqual(await store.all('select * from scenario_outlooks'), []);
  });
});
