import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { endOfReveals, revealRange, revealsWithin } from './reveal-leaves.ts';

const LEAVES = 3_000;

describeStores('reveals by their own leaf', (makePlace, engine) => {
  test('are those of the range, found by the index of bundles', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const rows = Array.from({ length: LEAVES }, (_, n) => ({
      prediction_leaf: n,
      scores: 0,
      leaves_later: 500,
      calms: 0,
    }));
    await store.transaction((tx) => tx.insert('reveal_figures', rows));
    await store.transaction((tx) => tx.run('analyze'));
    const select = `select r.leaf from reveals r where ${revealsWithin} order by r.leaf`;
    for (const [from, until] of [
      [512, 768],
      [0, 501],
      [700, 701],
      [767, 769],
      [3_400, Number.MAX_SAFE_INTEGER],
      [900, 900],
    ] as const) {
      const found = await store.all<{ leaf: number }>(select, ...revealRange(from, until));
      const expected = rows
        .map(({ prediction_leaf }) => prediction_leaf + 500)
        .filter((leaf) => leaf >= from && leaf < until);
      assert.deepEqual(
        found.map(({ leaf }) => leaf),
        expected,
      );
    }
    assert.deepEqual(
      [
        await store.get<{ leaf: number }>(endOfReveals('asc')),
        await store.get<{ leaf: number }>(endOfReveals('desc')),
      ].map((row) => row?.leaf),
      [500, LEAVES + 499],
    );
    for (const [sql, params] of [
      [select, revealRange(512, 768)],
      [endOfReveals('asc'), []],
      [endOfReveals('desc'), []],
    ] as const) {
      const plan = JSON.stringify(
        await store.all(`${engine === 'sqlite' ? 'explain query plan' : 'explain'} ${sql}`, ...params),
      );
      assert.match(plan, /reveal_figures_by_bundle/);
      assert.doesNotMatch(plan, /SCAN reveal_figures"|Seq Scan/);
    }
  });
});
