import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { PERIOD } from '../../domain/stats/rollup.ts';
import { pocketRollup, storedSums } from './tables.ts';

describeStores('the sums of a rollup', (makePlace) => {
  const row = (sum: number) => ({
    period_end: PERIOD,
    pocket_id: 'a',
    ...Object.fromEntries(storedSums(pocketRollup).map((name) => [name, sum])),
  });

  test('are read as the whole numbers that were written, however large', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const sums = [0, 7, 2 ** 31, Number.MAX_SAFE_INTEGER];
    const rows = sums.map((sum, n) => ({ ...row(sum), period_end: (n + 1) * PERIOD }));
    await store.transaction((tx) => tx.insert('rollup_pockets', rows));
    const stored = await store.all<object>('select * from rollup_pockets order by period_end');
    assert.deepEqual(
      stored.map((one) => ({ ...one })),
      rows,
    );
    const small = await store.get<object>(
      'select sum(calm) as calm, max(due) as due from rollup_pockets where calm < 8',
    );
    assert.deepEqual({ ...small }, { calm: 7, due: 7 });
  });

  test('of a half hour are refused where it has some: its other tables are written in the same transaction', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const calm = {
      generator: 'x',
      shadow: 0,
      waking: 0,
      tenth: 9,
      forecasts: 1,
      calm: 1,
      probability: 9_500,
    };
    const write = () =>
      store.transaction(async (tx) => {
        await tx.insert('rollup_calm', [{ period_end: PERIOD, ...calm }]);
        await tx.insert('rollup_pockets', [row(1)]);
      });
    await write();
    await assert.rejects(write(), /unique/i);
    assert.equal((await store.all('select * from rollup_calm')).length, 1);
  });
});
