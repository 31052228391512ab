import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { namesOfOutlets, numberOutlets } from './outlet-numbers.ts';

describeStores('the numbers of outlets', (makePlace) => {
  test('are given once, in the order in which outlets are first counted', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const number = (...outlets: string[]) => store.transaction((tx) => numberOutlets(tx, outlets));
    assert.deepEqual([...(await number('b', 'a', 'b'))].sort(), [
      ['a', 2],
      ['b', 1],
    ]);
    assert.equal((await number('c', 'a')).get('c'), 3);
    assert.deepEqual([...(await namesOfOutlets(store, [3, 1]))].sort(), [
      [1, 'b'],
      [3, 'c'],
    ]);
    await assert.rejects(
      store.transaction((tx) => tx.run('delete from outlet_numbers')),
      /append-only/,
    );
  });

  test('of a transaction that failed are given again', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await assert.rejects(
      store.transaction(async (tx) => {
        await numberOutlets(tx, ['a']);
        throw new Error('on purpose');
      }),
      /on purpose/,
    );
    assert.equal((await store.transaction((tx) => numberOutlets(tx, ['b']))).get('b'), 1);
  });

  test('are the same for processes that count outlets at once', async (t) => {
    const stores = await openStores(t, makePlace, 4);
    const found = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        stores[n % 4]?.transaction((tx) =>
          numberOutlets(
            tx,
            Array.from({ length: 5 }, (_, k) => `outlet ${(n + k) % 9}`),
          ),
        ),
      ),
    );
    const stored = await stores[0]?.all<{ number: number; outlet_id: string }>(
      'select * from outlet_numbers',
    );
    const expected = new Map(stored?.map(({ number, outlet_id }) => [outlet_id, number]));
    assert.equal(expected.size, 9);
    for (const numbers of found)
      for (const [outlet, number] of numbers ?? assert.fail()) assert.equal(expected.get(outlet), number);
  });
});
