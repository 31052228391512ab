import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storedEntries } from '../../../test/support/stores/stored-entries.ts';
import { DAY, HOUR, iso, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { ClockError } from '../../store/engine/clock.ts';
import type { Store } from '../../store/engine/store.ts';
import { writeOutletActivity } from '../../store/observation/outlet-activity.ts';
import { readingsBetween } from '../../store/observation/readings.ts';
import { backfill, ensureHistory } from '../backfill/backfill.ts';
import type { Job, PipelineContext } from '../core/context.ts';
import { runDue, runDueNow } from './run.ts';
import { dueBy, schedule } from './schedule.ts';

const registry = loadRegistry(cityDir('singapore'));
const noon = Date.parse('2026-11-11T12:00:00+08:00');
const makePipeline = (store: Store, worker = 'test'): PipelineContext => ({
  ...freshPipeline(store, registry),
  worker,
});

/** Tables that a backfill and live slots must fill alike, with the key that orders their rows. */
const tables = {
  snapshots: 'slot, pocket_id',
  counted_outlets: 'slot, outlet_id',
  readiness_packs: 'slot, first_pocket',
  atmosphere_readings: 'slot, pocket_id',
  norms: 'pocket_id, hour_of_week',
  moments: 'slot, pocket_id',
  silences: 'id',
  packages: 'id',
  pauses: 'slot, pocket_id',
  verdicts: 'slot, pocket_id',
  story_packs: 'slot, first_pocket',
  equilibrium_readings: 'slot, pocket_id',
  hour_changes: 'pocket_id, slot, part, primary_state, spoke',
  legitimacy_index: 'reading_date, pocket_id',
  ledger_edges: 'level',
  predictions: 'leaf',
  reveals: 'prediction_leaf',
  rollup_pockets: 'period_end, pocket_id',
  rollup_reasons: 'period_end, reason',
  rollup_tiers: 'period_end, tier',
  rollup_forecasts: 'period_end, pocket_id, generator, shadow',
  scenario_outlooks: 'pocket_id',
};
const countSealed = 'select size as sealed from ledger_size';
const contents = async (store: Store) => {
  const rows = Object.entries(tables).map(([table, key]) =>
    store.all<object>(`select * from ${table} order by ${key}`),
  );
  // Tiles hold nothing but hashes.
  const tiles = store.all<object>('select level, idx from ledger_tiles order by level, idx');
  return JSON.stringify(await Promise.all([...rows, tiles, storedEntries(store)]));
};

describeStores('pipeline', (makePlace, engine) => {
  test('a slot runs once, however often and by however many workers it is claimed', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const outcomes = await Promise.all(
      stores.map((store, i) => runDue(makePipeline(store, `w${i}`), noon + 1000)),
    );
    assert.equal(outcomes.flat().filter(({ outcome }) => outcome === 'ran').length, schedule.length);
    const [store] = stores;
    assert.ok(store);
    assert.deepEqual(await runDue(makePipeline(store), noon + 2000), []);
    const row = await store.get<{ n: number }>('select count(*) as n from atmosphere_readings');
    assert.ok((row?.n ?? 0) > 10 && (row?.n ?? 0) <= registry.pockets.length);
  });

  test('an outage leaves a gap in the readings, which is not filled afterwards', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = makePipeline(store);
    await runDue(pipeline, noon);
    await runDue(pipeline, noon + 3 * HOUR);
    const slots = (await readingsBetween(store, 'holland', 0, noon + DAY)).map(({ slot }) => slot);
    assert.deepEqual(slots, [noon, noon + 3 * HOUR]);
  });

  for (const [direction, off] of [
    ['ahead of', 26 * HOUR],
    ['behind', -26 * HOUR],
    ['behind', -SLOT - 2 * MINUTE],
  ] as const)
    test(`while the clock is ${Math.abs(off) / MINUTE} minutes ${direction} the store's, nothing is run, and one outcome says why`, async (t) => {
      const store = await openMigratedStore(t, makePlace);
      const wrong = (await store.clock()) + off;
      const outcomes = await runDueNow(makePipeline(store), () => wrong);
      assert.deepEqual(
        outcomes.map(({ job, outcome, error }) => [job, outcome, error instanceof ClockError]),
        [['all', 'failed', true]],
      );
      assert.match(String(outcomes[0]?.error), new RegExp(`is \\d+ minutes ${direction} the store's clock`));
      const history = ensureHistory(makePipeline(store), { days: 1, clock: () => wrong });
      await assert.rejects(history, ClockError);
      for (const table of [
        'job_runs',
        'ledger_entries',
        'ledger_bundles',
        'atmosphere_readings',
        'history_progress',
      ])
        assert.deepEqual(await store.all(`select * from ${table}`), [], table);
    });

  test('a clock that is minutes slow delays a slot, and does not stop the worker', async (t) => {
    const store = { ...(await openMigratedStore(t, makePlace)), clock: async () => time };
    let time = noon + 3 * MINUTE;
    const pipeline = makePipeline(store);
    const slow = async () =>
      (await runDueNow(pipeline, () => time - 3 * MINUTE))
        .filter(({ job }) => ['all', 'atmosphere'].includes(job))
        .map(({ job, slot, outcome }) => [job, (slot - noon) / SLOT, outcome]);
    assert.deepEqual(await slow(), [['atmosphere', 0, 'ran']]);
    time = noon + SLOT + 2 * MINUTE;
    assert.deepEqual(await slow(), [['all', 0, 'failed']]);
    time = noon + SLOT + 3 * MINUTE;
    assert.deepEqual(await slow(), [['atmosphere', 1, 'ran']]);
  });

  // Which slots are due is decided above the store, and what is written in them is the same for every slot.
  if (engine === 'sqlite')
    test('after runs for slots of the future the present slots still run', async (t) => {
      const store = await openMigratedStore(t, makePlace);
      const clock = { now: noon };
      const healthy = { ...freshPipeline(store, registry, () => clock.now), worker: 'healthy' };
      await runDue(healthy, noon);
      // The next morning, when the last of the daily jobs is due.
      const future = noon + 20.5 * HOUR;
      await runDue({ ...freshPipeline(store, registry, () => future), worker: 'fast' }, future);
      const { sealed = 0 } = (await store.get<{ sealed: number }>(countSealed)) ?? {};
      clock.now = noon + 2 * SLOT;
      const outcomes = await runDue(healthy, clock.now);
      // Jobs that run late had caught up to the future; the others had skipped what lay between.
      const skipping = new Set(schedule.filter(({ late }) => late === 'skip').map(({ name }) => name));
      const due = dueBy(clock.now, singapore).filter(({ job, slot }) => skipping.has(job) && slot > noon);
      assert.deepEqual(
        outcomes.map(({ job, slot, outcome }) => [job, slot, outcome]),
        due.map(({ job, slot }) => [job, slot, 'ran']),
      );
      const slots = (await readingsBetween(store, 'holland', 0, future)).map(({ slot }) => slot);
      assert.deepEqual(slots, [noon, clock.now, future]);
      // The log goes on: no time in it is earlier than the one before.
      const entries = await storedEntries(store);
      const written = entries.map(({ payload }) => JSON.parse(payload).written_at);
      assert.deepEqual(written, written.toSorted());
      assert.equal(written.at(-1), iso(future));
      assert.ok(entries.length > sealed);
      const forecasts = await store.all('select leaf from predictions where slot = ?', clock.now);
      assert.deepEqual(forecasts, [], 'no forecast whose reveal has run already');
    });

  test('a failed job leaves nothing behind, fails no other job, and is retried', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let broken = true;
    const fragile: Job = {
      name: 'fragile',
      cron: '*/15 * * * *',
      late: 'skip',
      run: async ({ tx, slot }) => {
        await writeOutletActivity(tx, [{ slot, outlet_id: 'fragile', activity: 1 }]);
        if (broken) throw new Error('broken');
      },
    };
    const jobs = [fragile, ...schedule.filter(({ name }) => name === 'atmosphere')];
    const first = await runDue(makePipeline(store), noon, jobs);
    assert.deepEqual(
      first.map(({ job, outcome }) => [job, outcome]),
      [
        ['fragile', 'failed'],
        ['atmosphere', 'ran'],
      ],
    );
    const traces = () => store.all("select * from counted_outlets where outlet_id = 'fragile'");
    assert.equal((await traces()).length, 0);
    broken = false;
    const second = await runDue(makePipeline(store), noon + 20_000, jobs);
    assert.deepEqual(
      second.map(({ job, outcome }) => [job, outcome]),
      [['fragile', 'ran']],
    );
    assert.equal((await traces()).length, 1);
  });

  test('a job that catches up does not run past a slot that failed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let broken: number | null = null;
    const late: Job = {
      name: 'late',
      cron: '*/15 * * * *',
      late: 'run',
      run: async ({ slot }) => {
        if (slot === broken) throw new Error('broken');
      },
    };
    await runDue(makePipeline(store), noon, [late]);
    broken = noon + 2 * SLOT;
    const outcomes = await runDue(makePipeline(store), noon + 4 * SLOT, [late]);
    assert.deepEqual(
      outcomes.map(({ slot, outcome }) => [(slot - noon) / SLOT, outcome]),
      [
        [1, 'ran'],
        [2, 'failed'],
      ],
    );
    broken = null;
    const again = await runDue(makePipeline(store), noon + 4 * SLOT, [late]);
    assert.deepEqual(
      again.map(({ slot, outcome }) => [(slot - noon) / SLOT, outcome]),
      [2, 3, 4].map((slot) => [slot, 'ran']),
    );
  });

  test('after a signal to stop, the job under way is finished, and the others run at the next start', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let stop = new AbortController();
    const jobNamed = (name: string, run: () => void): Job => ({
      name,
      cron: '*/15 * * * *',
      late: 'run',
      run: async () => run(),
    });
    const jobs = [jobNamed('first', () => stop.abort()), jobNamed('second', () => undefined)];
    await runDue(makePipeline(store), noon - SLOT, jobs);
    stop = new AbortController();
    const ran = (outcomes: Awaited<ReturnType<typeof runDue>>) =>
      outcomes.map(({ job, slot, outcome }) => [job, (slot - noon) / SLOT, outcome]);
    assert.deepEqual(ran(await runDue(makePipeline(store), noon, jobs, stop.signal)), [['first', 0, 'ran']]);
    assert.deepEqual(ran(await runDue(makePipeline(store), noon + SLOT, jobs)), [
      ['second', 0, 'ran'],
      ['first', 1, 'ran'],
      ['second', 1, 'ran'],
    ]);
  });

  if (engine === 'sqlite')
    test('a backfill and live slots write the same rows, except that a backfill says so', async (t) => {
      const [history, live] = [await openMigratedStore(t, makePlace), await openMigratedStore(t, makePlace)];
      const from = noon - 2 * HOUR;
      await backfill(makePipeline(history), { from, now: noon });
      for (let slot = from; slot <= noon; slot += SLOT) await runDue(makePipeline(live), slot);
      const [liveRows, historyRows] = [await contents(live), await contents(history)];
      assert.ok(!liveRows.includes('backfilled'));
      const mark = /\\"backfilled\\":true,/g;
      const { sealed = 0 } = (await history.get<{ sealed: number }>(countSealed)) ?? {};
      assert.equal(historyRows.match(mark)?.length, sealed);
      // The mark is part of what is hashed.
      const unhashed = (rows: string) => rows.replaceAll(/sha256:[0-9a-f]{64}|"hashes":"[^"]*"/g, 'hash');
      assert.equal(unhashed(historyRows.replaceAll(mark, '')), unhashed(liveRows));
    });
});
