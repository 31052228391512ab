import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStores } from '../../test/support/postgres.ts';
import { openOne } from '../../test/support/store.ts';
import type { Store } from './engine/store.ts';
import { paced } from './paced.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, slot) => ({ pocket_id: `pocket-${slot}`, slot, body: '' }));

/** How many rows each insert has. */
function counting(store: Store): { store: Store; inserts: number[] } {
  const inserts: number[] = [];
  return {
    inserts,
    store: {
      ...store,
      transaction: (work) =>
        store.transaction((tx) =>
          work({
            ...tx,
            insert: (table, some, conflict) => {
              inserts.push(some.length);
              return tx.insert(table, some, conflict);
            },
          }),
        ),
    },
  };
}

describeStores('a paced store', (makePlace) => {
  test('writes the same in small steps, and what is much at once', async (t) => {
    const { store, inserts } = counting(await openOne(t, makePlace));
    for (const count of [0, 40, 500]) {
      const written = await paced(store).transaction(async (tx) => {
        await tx.run('delete from outlook_shifts');
        await tx.insert('outlook_shifts', rows(count));
        return tx.get<{ count: number }>('select count(*) as count from outlook_shifts');
      });
      assert.equal(written?.count, count);
    }
    assert.deepEqual(inserts, [16, 16, 8, 500]);
  });

  test('what fails leaves nothing', async (t) => {
    const store = await openOne(t, makePlace);
    const twice = paced(store).transaction((tx) => tx.insert('outlook_shifts', [...rows(40), ...rows(1)]));
    await assert.rejects(twice);
    assert.deepEqual(await store.all('select * from outlook_shifts'), []);
  });
});
