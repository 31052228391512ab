import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { recordFirstRun } from './builds.ts';

describeStores('builds', (makePlace) => {
  test('a build keeps the time at which it first ran on this store, whichever process asks', async (t) => {
    const [one, other] = await openStores(t, makePlace, 2);
    assert.ok(one && other);
    const together = await Promise.all([recordFirstRun(one, 'a', 1000), recordFirstRun(other, 'a', 1500)]);
    assert.equal(together[0], together[1]);
    const [first] = together;
    assert.equal(await recordFirstRun(one, 'a', 9000), first);
    assert.equal(await recordFirstRun(other, 'b', 2000), 2000);
    assert.equal(await recordFirstRun(one, 'b', 9000), 2000);
    assert.equal(await recordFirstRun(one, 'a', 9000), first);
  });
});
