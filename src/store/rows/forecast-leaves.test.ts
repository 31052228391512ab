import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { schemaFiles } from '../engine/schema-files.ts';
import type { Reader } from '../engine/store.ts';
import { migrate } from '../schema/migrate.ts';
import {
  byForecastLeaf,
  firstLeafOf,
  forecastRange,
  forecastsWithin,
  groupTogether,
  packConfidences,
} from './forecast-leaves.ts';

const START = Date.UTC(2026, 10, 2, 4);

test('what follows one another, of one key and in one bundle, is together, five at most', () => {
  const rows = (leaves: readonly number[], key: string) => leaves.map((leaf) => ({ leaf, key }));
  const grouped = groupTogether(
    [
      ...rows([0, 1, 2, 3, 4, 5, 6], 'a'),
      ...rows([7], 'b'),
      ...rows([8], 'a'),
      ...rows([20, 21, 23], 'a'),
      ...rows([254, 255, 256, 257], 'a'),
    ],
    ({ key }) => key,
  );
  assert.deepEqual(
    grouped.map((group) => group.map(({ leaf }) => leaf)),
    [[0, 1, 2, 3, 4], [5, 6], [7], [8], [20, 21], [23], [254, 255], [256, 257]],
  );
});

const members = (list: number, horizons: readonly number[]) =>
  horizons.map((hours, place) => ({
    ...{ list, place, generator: `in_${hours}`, prediction_type: 'other', shadow: 0 },
    horizon: hours * 4 * SLOT,
  }));

/** Each of three forecasts, but for every seventh, of one; between them is another entry. */
const sets = Array.from({ length: 1_000 }, (_, n) => ({
  leaf: 4 * n,
  slot: START + Math.floor(n / 10) * SLOT,
  confidences: packConfidences(n % 7 ? [n % 1_001, 0, 1_000] : [500]),
  pocket: 1 + (n % 10),
  list: n % 7 ? 1 : 2,
  completeness_milli: 1_000,
}));
const leaves = sets.flatMap(({ leaf, list }) => (list === 1 ? [leaf, leaf + 1, leaf + 2] : [leaf]));

const planOf = async (store: Reader, explain: string, sql: string, params: readonly number[]) =>
  JSON.stringify(await store.all(`${explain} ${sql}`, ...params));

describeStores('forecasts by leaf', (makePlace, engine) => {
  const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';

  test('are those of the range, and come in the order of the key', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction(async (tx) => {
      await tx.insert('forecast_lists', [...members(1, [1, 2, 3]), ...members(2, [1])]);
      await tx.insert('forecast_sets', sets);
      await tx.run('analyze');
    });
    const select = `select p.leaf from predictions p where ${forecastsWithin('p.leaf', 'p.first_leaf')}
      order by ${byForecastLeaf('p', 'asc')}`;
    for (const [from, until] of [
      [0, 5_000],
      [41, 44],
      [42, 43],
      [256, 512],
      [3_997, Number.MAX_SAFE_INTEGER],
      [900, 900],
    ] as const) {
      const found = await store.all<{ leaf: number }>(select, ...forecastRange(from, until));
      assert.deepEqual(
        found.map(({ leaf }) => leaf),
        leaves.filter((leaf) => leaf >= from && leaf < until),
      );
    }
    const plan = await planOf(store, explain, select, forecastRange(256, 512));
    assert.match(plan, engine === 'sqlite' ? /SEARCH s USING INTEGER PRIMARY KEY/ : /forecast_sets_pkey/);
    assert.doesNotMatch(plan, /B-TREE|Seq Scan on forecast_sets/);
  });

  test('are found by what names one', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const named = leaves.map((leaf) => ({
      prediction_leaf: leaf,
      scores: 0,
      leaves_later: 10_000,
      calms: 0,
    }));
    await store.transaction(async (tx) => {
      await tx.insert('forecast_lists', [...members(1, [1, 2, 3]), ...members(2, [1])]);
      await tx.insert('forecast_sets', sets);
      await tx.insert('reveal_figures', named);
      await tx.run('analyze');
    });
    const select = `select p.leaf, p.confidence from reveals r cross join predictions p
      where r.prediction_leaf >= ? and r.prediction_leaf < ?
        and p.first_leaf = ${firstLeafOf('r.prediction_leaf')} and p.leaf = r.prediction_leaf
      order by p.leaf`;
    const found = await store.all<{ leaf: number; confidence: number }>(select, 41, 47);
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      [
        ...[0, 1].map((n) => ({ leaf: 41 + n, confidence: n })),
        ...[11, 0, 1_000].map((milli, n) => ({ leaf: 44 + n, confidence: milli / 1_000 })),
      ],
    );
    const plan = await planOf(store, explain, select, [41, 47]);
    assert.doesNotMatch(plan, /SCAN s\b|Seq Scan on forecast_sets/);
  });

  test('are the same after the upgrade of a row for each, also those of odd batches', async (t) => {
    const place = await makePlace('empty');
    const [store] = await openStores(t, async () => place, 1, false);
    assert.ok(store);
    const at = schemaFiles.findIndex(({ key }) => key.endsWith('_forecast_sets'));
    await migrate(store, 1, { files: schemaFiles.slice(0, at), batches: [] });
    const row = (leaf: number, generator: number, other = {}) => ({
      ...{ leaf, slot: START, pocket: 1, generator, confidence_milli: leaf % 1_001, completeness_milli: 900 },
      ...other,
    });
    await store.exclusively(async (tx) => {
      await tx.insert(
        'forecast_generators',
        Array.from({ length: 7 }, (_, n) => ({
          ...{ number: n + 1, name: `in_${n}`, prediction_type: n % 2 ? 'other' : 'calm' },
          ...{ horizon: (n + 1) * SLOT, shadow: n % 3 ? 0 : 1 },
        })),
      );
      await tx.insert('forecast_pockets', [
        { number: 1, pocket_id: 'a' },
        { number: 2, pocket_id: 'b' },
      ]);
      await tx.insert('prediction_figures', [
        ...[3, 4, 5, 6, 7, 8, 9].map((leaf) => row(leaf, leaf - 2)),
        row(10, 1, { pocket: 2 }),
        row(11, 2, { pocket: 2, completeness_milli: 1_000 }),
        row(12, 3, { pocket: 2, completeness_milli: 1_000, slot: START + SLOT }),
        ...[20, 22, 23].map((leaf) => row(leaf, 1 + (leaf % 7))),
        ...[254, 255, 256, 257].map((leaf) => row(leaf, leaf - 253)),
        row(1_000, 7),
        row(2_000, 6, { pocket: 3 }),
      ]);
    });
    const shown = async () =>
      (
        await store.all<object>(
          `select leaf, slot, pocket, pocket_id, generator, prediction_type, reveal_at, confidence, completeness, shadow
           from predictions order by leaf`,
        )
      ).map((one) => ({ ...one }));
    const before = await shown();
    assert.equal(before.length, 19);
    await migrate(store, 2);
    assert.deepEqual(await shown(), before);
    const stored = await store.all<{ leaf: number }>('select leaf from forecast_sets order by leaf');
    assert.deepEqual(
      stored.map(({ leaf }) => leaf),
      [3, 8, 10, 11, 12, 20, 22, 254, 256, 1_000, 2_000],
    );
  });
});
