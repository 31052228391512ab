import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { schemaFiles } from '../engine/schema-files.ts';
import type { Reader } from '../engine/store.ts';
import { migrate } from '../schema/migrate.ts';
import { firstRun, lastRuns } from './health-queries.ts';
import { claim, hasRun, lastSlots, ofJob, recordRuns } from './job-runs.ts';

const START = 20_000 * DAY;
const shownRuns = async (store: Reader): Promise<object[]> =>
  (await store.all<object>('select job, slot, worker, ran_at from job_runs order by slot, job')).map(
    (row) => ({ ...row }),
  );

describeStores('runs of jobs', (makePlace, engine) => {
  test('are shown with their names and times, whatever the clock of the worker was', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const runs = [
      { job: 'näme', slot: START, worker: '🙂:1', ran_at: START },
      { job: 'a', slot: START + SLOT, worker: 'a', ran_at: START + SLOT + 12_345 },
      { job: 'a', slot: START + 2 * SLOT, worker: '🙂:2', ran_at: Number.MAX_SAFE_INTEGER },
      { job: 'a', slot: START + 3 * SLOT, worker: 'a', ran_at: -5 },
    ];
    for (const { job, slot, worker, ran_at } of runs) {
      const at = (by: string) => store.transaction((tx) => claim(tx, job, slot, by, ran_at));
      assert.deepEqual([await at(worker), await at(worker), await at('another')], [true, false, false]);
    }
    const slot = START + 4 * SLOT;
    await store.transaction((tx) => recordRuns(tx, [{ name: 'a' }, { name: 'b' }], slot, 'w'));
    const recorded = ['a', 'b'].map((job) => ({ job, slot, worker: 'w', ran_at: slot }));
    assert.deepEqual(await shownRuns(store), [...runs, ...recorded]);
    assert.deepEqual(
      [await hasRun(store, { job: 'b', slot }), await hasRun(store, { job: 'b', slot: START })],
      [true, false],
    );
    assert.deepEqual(
      (await lastRuns(store, ['näme', 'none', 'a'], slot - SLOT)).map((row) => ({ ...row })),
      [
        { job: 'näme', slot: START, ran_at: START },
        { job: 'a', slot: slot - SLOT, ran_at: -5 },
      ],
    );
    assert.deepEqual([await firstRun(store, 'a'), await firstRun(store, 'none')], [START + SLOT, null]);
    for (const sql of ['update job_claims set worker = 1', 'delete from run_names'])
      await assert.rejects(
        store.transaction((tx) => tx.run(sql)),
        /append-only/,
      );
  });

  test('of a job are found by the key, first and last ones too', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const jobs = Array.from({ length: 16 }, (_, n) => ({ name: `job ${n}` }));
    const slots = Array.from({ length: 300 }, (_, n) => START + n * SLOT);
    await store.transaction(async (tx) => {
      for (const slot of slots) await recordRuns(tx, jobs, slot, 'w');
    });
    await store.transaction((tx) => tx.run('analyze'));
    const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
    for (const sql of [
      `select slot from job_claims where ${ofJob} and slot <= ${slots[9]} order by slot desc limit 1`,
      `select min(slot) as slot from job_claims where ${ofJob}`,
      `select (select max(c.slot) from job_claims c where c.job = n.number and c.slot <= ${slots[9]}) as slot
       from (values (?)) as named left join run_names n on n.name = column1`,
    ]) {
      const plan = JSON.stringify(await store.all(`${explain} ${sql}`, 'job 3'));
      assert.match(plan, engine === 'sqlite' ? /SEARCH (job_claims|c) USING PRIMARY KEY/ : /job_claims_pkey/);
      assert.doesNotMatch(plan, /Seq Scan on job_claims|SCAN (job_claims|c)\b|Sort/);
    }
    const last = await lastSlots(store, ['job 3', 'none'], slots[9]);
    assert.deepEqual([...last].sort(), [
      ['job 3', slots[9]],
      ['none', null],
    ]);
  });

  test('are the same after the upgrade of rows with names', async (t) => {
    const [store] = await openStores(t, makePlace, 1, false);
    assert.ok(store);
    const at = schemaFiles.findIndex(({ sql }) => sql.includes('create table job_claims'));
    await migrate(store, 1, { files: schemaFiles.slice(0, at), batches: [] });
    const row = (job: string, n: number, worker: string, late: number) => ({
      ...{ job, slot: START + n * SLOT, worker, ran_at: START + n * SLOT + late },
    });
    const rows = [
      ...[row('a', 0, 'a', 0), row('b', 0, 'w', 400 * DAY), row('a', 1, 'w', -90_000 * DAY)],
      ...[row('a', 2, 'b', 7), row('b', 2, 'w', 8)],
    ];
    await store.exclusively((tx) => tx.insert('job_runs', rows));
    await migrate(store, 2);
    assert.deepEqual(await shownRuns(store), rows);
    assert.equal(await store.transaction((tx) => claim(tx, 'b', START, 'new', START)), false);
  });
});
