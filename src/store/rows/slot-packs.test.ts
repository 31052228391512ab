import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { newestPacked, packedAt, writePacks } from './slot-packs.ts';

/** Names that a language orders otherwise than bytes do. */
const pockets = Array.from({ length: 150 }, (_, n) => `${n % 3 ? 'p' : 'P-'}${n}_${n % 2 ? 'a-b' : 'ab'}`);

describeStores('packs', (makePlace) => {
  test('give the newest entry of a pocket within a window, and all of a slot', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const entries = (slot: number, without = '') =>
      new Map(pockets.filter((one) => one !== without).map((one) => [one, { text: `${one} at ${slot}` }]));
    const missing = pockets[70] as string;
    await store.transaction(async (tx) => {
      await writePacks(tx, 'readiness_packs', { slot: 10 }, entries(10));
      await writePacks(tx, 'readiness_packs', { slot: 20 }, entries(20, missing));
      await writePacks(tx, 'readiness_packs', { slot: 30 }, new Map());
    });
    const rows = await store.get<{ n: number }>('select count(*) as n from readiness_packs');
    assert.equal(rows?.n, 6);
    const newest = (pocket: string, after: number, until: number) =>
      newestPacked<{ text: string }>(store, 'readiness_packs', pocket, { after, until });
    for (const pocket of pockets) {
      const slot = pocket === missing ? 10 : 20;
      assert.deepEqual(await newest(pocket, 0, 40), { slot, entry: { text: `${pocket} at ${slot}` } });
    }
    assert.equal((await newest(missing, 9, 40))?.slot, 10);
    assert.equal(await newest(missing, 10, 40), null);
    assert.equal(await newest('p', 0, 40), null);
    assert.equal((await newest(pockets[3] as string, 0, 19))?.slot, 10);
    assert.deepEqual(
      new Map([...(await packedAt(store, 'readiness_packs', 20))].sort()),
      new Map([...entries(20, missing)].sort()),
    );
  });
});
