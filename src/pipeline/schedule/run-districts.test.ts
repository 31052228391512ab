// A large city is computed in districts, by one worker or by several, and killed anywhere: the rows and the ledger are the
// same, in the same order.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { dumpTables } from '../../../test/support/stores/dump-tables.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Source } from '../../sources/source.ts';
import type { Store } from '../../store/engine/store.ts';
import { claimDistrict, districtsOf } from '../../store/runtime/districts.ts';
import { lastRun } from '../../store/runtime/job-runs.ts';
import { backfill } from '../backfill/backfill.ts';
import type { PipelineContext } from '../core/context.ts';
import { type District, Districts } from '../core/districts.ts';
import { runDue } from './run.ts';

const start = Date.parse('2026-11-11T08:00:00+08:00');
const end = start + 2.25 * HOUR;
const slots = Array.from({ length: (end - start) / SLOT + 1 }, (_, n) => start + n * SLOT);
const city = smallCity(8);

/** A worker that divides the city into districts of two pockets. */
const worker = (store: Store, name = 'one'): PipelineContext => ({
  ...freshPipeline(store, city, () => start),
  districts: new Districts(2),
  worker: name,
});

async function run(pipeline: PipelineContext, slot: number): Promise<void> {
  for (const { job, outcome, error } of await runDue(pipeline, slot))
    assert.notEqual(outcome, 'failed', `${job}: ${error}`);
}

/** Without the rows that say who ran when. */
async function written(store: Store): Promise<Record<string, string[]>> {
  const { job_claims, run_names, district_runs, ...rows } = await dumpTables(store);
  assert.ok(job_claims?.length && district_runs?.length);
  return rows;
}

describeStores('districts', (makePlace, engine) => {
  let alone: Promise<Record<string, string[]>> | undefined;
  const oneWorker = (t: TestContext) => {
    alone ??= openMigratedStore(t, makePlace).then(async (store) => {
      const pipeline = worker(store);
      for (const slot of slots) await run(pipeline, slot);
      return written(store);
    });
    return alone;
  };

  test('every district has its own state, and nothing stays handed over', async (t) => {
    const rows = await oneWorker(t);
    assert.equal(new Set(rows.pocket_districts?.map((row) => JSON.parse(row).district)).size, 4);
    assert.deepEqual(rows.handed_over, []);
    for (const table of [
      'silence_figures',
      'forecast_sets',
      'reveal_figures',
      'verdict_figures',
      'story_packs',
    ])
      assert.ok(rows[table]?.length, `nothing in ${table}`);
  });

  test('a pocket is compared with the whole city, as it was a slot before', async (t) => {
    const rows = await oneWorker(t);
    const parse = (table: string) =>
      (rows[table] ?? []).map((row): { slot: number; calm_milli: number; network_calm: number | null } =>
        JSON.parse(row),
      );
    const readings = Map.groupBy(parse('reading_figures'), ({ slot }) => slot);
    for (const { slot, network_calm } of parse('moment_figures')) {
      const before = readings.get(slot - SLOT);
      const mean =
        before && before.reduce((sum, { calm_milli }) => sum + calm_milli, 0) / 1000 / before.length;
      assert.equal(network_calm, mean ?? null);
    }
  });

  test('workers that share the districts write the same rows as one alone', async (t) => {
    const expected = await oneWorker(t);
    const stores = await openStores(t, makePlace, 2);
    const workers = stores.map((store, n) => worker(store, `worker ${n}`));
    for (const slot of slots) await Promise.all(workers.map((pipeline) => run(pipeline, slot)));
    const found = await written(stores[0] as Store);
    for (const [table, rows] of Object.entries(expected)) assert.deepEqual(found[table], rows, table);
  });

  // What fails, and in which order districts are sealed, is decided above the store; the other tests run its statements on
  // both engines.
  if (engine === 'sqlite')
    test('a worker that dies in any transaction leaves nothing out and nothing twice', async (t) => {
      const expected = await oneWorker(t);
      const store = await openMigratedStore(t, makePlace);
      for (const [n, slot] of slots.entries()) {
        // Another transaction at each slot, of those that districts run and of those that seal.
        await runDue(worker(failsAt(store, (n * 7) % 34)), slot).catch(() => undefined);
        await run(worker(store), slot);
      }
      const found = await written(store);
      for (const [table, rows] of Object.entries(expected)) assert.deepEqual(found[table], rows, table);
    });

  if (engine === 'sqlite')
    test('the first history is written in the same order', async (t) => {
      const store = await openMigratedStore(t, makePlace);
      await backfill(worker(store), { from: start, now: end });
      const decided = (rows: string[] | undefined) =>
        rows?.map((row) => JSON.parse(row)).map(({ pocket_id, slot }) => [pocket_id, slot]);
      const expected = await oneWorker(t);
      const found = await dumpTables(store);
      for (const table of ['silence_figures', 'packages']) {
        assert.deepEqual(decided(found[table]), decided(expected[table]), table);
        assert.ok(found[table]);
      }
      assert.deepEqual(found.forecast_sets, expected.forecast_sets);
      assert.deepEqual(found.reveal_figures, expected.reveal_figures);
      assert.deepEqual(found.moment_figures, expected.moment_figures);
    });

  if (engine === 'sqlite')
    for (const n of [0, 1, 3])
      test(`district ${n} of 4 that fails is a gap of its own once its slot has passed`, async (t) => {
        const store = await openMigratedStore(t, makePlace);
        const pipeline = worker(store);
        await run(pipeline, start);
        const districts = await pipeline.districts.load(pipeline);
        const failing = districts[n];
        if (!failing) throw new Error(`no district ${n}`);
        const { forecast } = failing.forecaster;
        failing.forecaster.forecast = () => Promise.reject(new Error('of this district'));
        const outcomes = await runDue(pipeline, start + SLOT);
        assert.deepEqual(
          outcomes.filter(({ outcome }) => outcome === 'failed').map(({ job, error }) => `${job}: ${error}`),
          ['atmosphere: Error: of this district'],
        );
        const sealedAt = async (slot: number) =>
          (
            await store.all<{ pocket_id: string }>(
              'select distinct pocket_id from predictions where slot = ? order by pocket_id',
              slot,
            )
          ).map(({ pocket_id }) => pocket_id);
        const pocketsOf = (some: readonly District[]) =>
          some.flatMap(({ registry }) => registry.pockets.map(({ id }) => id)).toSorted();
        // What comes after it in the order of the ledger is not sealed before.
        assert.deepEqual(await sealedAt(start + SLOT), pocketsOf(districts.slice(0, n)));
        assert.equal(await lastRun(store, 'atmosphere'), start);
        failing.forecaster.forecast = forecast;
        await run(pipeline, start + 2 * SLOT);
        assert.equal(await lastRun(store, 'atmosphere', start + SLOT), start + SLOT);
        assert.deepEqual(await sealedAt(start + SLOT), pocketsOf(districts.toSpliced(n, 1)));
        assert.deepEqual(await sealedAt(start + 2 * SLOT), pocketsOf(districts));
        // What was closed is not opened again.
        const late = { job: 'atmosphere', slot: start + SLOT };
        assert.equal(
          await store.transaction((tx) => claimDistrict(tx, late, failing.id, 'late', end)),
          false,
        );
      });

  if (engine === 'sqlite')
    test('the signals are those of the whole city, whether the source can be asked for a part of it or not', async (t) => {
      const store = await openMigratedStore(t, makePlace);
      const pipeline = worker(store);
      const { part, ...source } = pipeline.source;
      assert.ok(part);
      let asked = 0;
      const observe: Source['observe'] = (...given) => {
        asked += 1;
        return source.observe(...given);
      };
      const withoutParts = { ...pipeline, source: { ...source, observe } };
      for (const slot of [start, start + SLOT]) await run(withoutParts, slot);
      assert.equal(asked, 2);
      const [found, expected] = [await dumpTables(store), await oneWorker(t)];
      for (const table of ['env_snapshots', 'outlet_activity', 'citizen_senses'])
        assert.deepEqual(found[table], upTo(expected[table], start + SLOT), table);
    });

  test('what a district handed over is sealed after the district has gone', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const handedOver = () =>
      store.get<{ parts: number }>('select count(distinct district) as parts from handed_over');
    // Until the four districts have run, and the worker dies before it seals the first.
    while ((await handedOver())?.parts !== 4) await runDue(worker(failsAt(store, 1)), start);
    assert.deepEqual((await dumpTables(store)).forecast_sets, []);
    const two = { ...worker(store), districts: new Districts(8) };
    await store.transaction((tx) => tx.run('delete from pocket_districts'));
    const stated = city.pockets.map((pocket, n) => ({ ...pocket, district: n < 4 ? 'north' : 'south' }));
    await run({ ...two, registry: { ...city, pockets: stated } }, start + SLOT);
    assert.deepEqual((await dumpTables(store)).handed_over, []);
  });

  test('what was learned of a pocket moves with it', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await run(
      freshPipeline(store, city, () => start),
      start,
    );
    const [pocket = ''] = city.pockets.map(({ id }) => id);
    const stateOf = () =>
      store.all<{ district: string; key: string; body: string }>(
        'select district, key, body from pipeline_state where key like ? order by key',
        `% ${pocket}`,
      );
    const before = await stateOf();
    assert.ok(before.length > 2);
    const later = worker(store);
    const [first] = await later.districts.load(later);
    const districtOf = await districtsOf(store, [pocket]);
    assert.ok(first && districtOf(pocket) !== '');
    assert.deepEqual(
      (await stateOf()).map((row) => ({ ...row })),
      before.map((row) => ({ ...row, district: districtOf(pocket) })),
    );
  });
});

/** Of rows as JSON, those up to a slot. */
const upTo = (rows: readonly string[] = [], slot: number): string[] =>
  rows.filter((row) => JSON.parse(row).slot <= slot);

/** A store whose transactions fail from the one with this number on, as those of a process that was killed. */
function failsAt(store: Store, number: number): Store {
  let count = 0;
  return {
    ...store,
    transaction: (work, changes) =>
      store.transaction(async (tx) => {
        const result = await work(tx);
        if (count++ >= number) throw new Error('killed');
        return result;
      }, changes),
  };
}
