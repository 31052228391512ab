import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { testSigner } from '../../../test/support/stores/test-key.ts';
import { HOUR, SLOT } from '../../domain/time/sgt.ts';
import { loadRegistry, singaporeDir } from '../../registry/load.ts';
import { simulatedCity } from '../../sources/simulated/city.ts';
import type { Store } from '../../store/engine/store.ts';
import { LedgerLog } from '../../store/ledger/ledger-log.ts';
import { LogTree } from '../../store/ledger/log-tree.ts';
import { readingsBetween } from '../../store/observation/readings.ts';
import { backfill } from '../backfill/backfill.ts';
import type { Job, PipelineContext } from './context.ts';
import { PipelineState } from './pipeline-state.ts';
import { PocketForecaster } from './pocket-forecaster.ts';
import { runDue } from './run.ts';
import { schedule } from './schedule.ts';

const registry = loadRegistry(singaporeDir);
const noon = Date.parse('2026-11-11T12:00:00+08:00');
const worksOf = (store: Store, worker = 'test'): PipelineContext => ({
  store,
  registry,
  source: simulatedCity(registry),
  state: new PipelineState(),
  forecaster: new PocketForecaster(),
  ledger: new LedgerLog(new LogTree(testSigner)),
  worker,
});
const contents = async (store: Store) => {
  const tables = [
    'env_snapshots',
    'outlet_activity',
    'atmosphere_readings',
    'norms',
    'moments',
    'silences',
    'packages',
    'package_supersessions',
    'vindications',
    'live_stories',
    'equilibrium_readings',
    'legitimacy_index',
    'ledger_entries',
    'ledger_tiles',
    'ledger_edges',
    'predictions',
    'reveals',
    'rollup_pockets',
    'rollup_gates',
    'rollup_tiers',
    'rollup_forecasts',
    'outlook_shifts',
  ];
  const keys = [
    'slot, pocket_id',
    'slot, outlet_id',
    'slot, pocket_id',
    'pocket_id, hour_of_week',
    'slot, pocket_id',
    'id',
    'id',
    'package_id',
    'silence_id',
    'slot, pocket_id',
    'slot, pocket_id',
    'reading_date, pocket_id',
    'leaf',
    'level, idx',
    'level',
    'leaf',
    'prediction_leaf',
    'period_end, pocket_id',
    'period_end, gate',
    'period_end, tier',
    'period_end, pocket_id, generator, shadow',
    'pocket_id',
  ];
  const rows = tables.map((table, i) => store.all<object>(`select * from ${table} order by ${keys[i]}`));
  return JSON.stringify(await Promise.all(rows));
};

describeStores('pipeline', (makePlace) => {
  test('a slot runs once, however often and by however many workers it is claimed', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const outcomes = await Promise.all(
      stores.map((store, i) => runDue(worksOf(store, `w${i}`), noon + 1000)),
    );
    assert.equal(outcomes.flat().filter(({ outcome }) => outcome === 'ran').length, schedule.length);
    const [store] = stores;
    assert.ok(store);
    assert.deepEqual(await runDue(worksOf(store), noon + 2000), []);
    const row = await store.get<{ n: number }>('select count(*) as n from atmosphere_readings');
    assert.ok((row?.n ?? 0) > 10 && (row?.n ?? 0) <= registry.pockets.length);
  });

  test('an outage leaves a gap in the readings, which is not filled afterwards', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = worksOf(store);
    await runDue(pipeline, noon);
    await runDue(pipeline, noon + 3 * HOUR);
    const slots = (await readingsBetween(store, 'holland', 0, noon + DAY_LATER)).map(({ slot }) => slot);
    assert.deepEqual(slots, [noon, noon + 3 * HOUR]);
  });

  test('a failed job leaves nothing behind, fails no other job, and is retried', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let broken = true;
    const fragile: Job = {
      name: 'fragile',
      cron: '*/15 * * * *',
      late: 'skip',
      run: async ({ tx, slot }) => {
        await tx.insert('outlet_activity', [{ slot, outlet_id: 'fragile', activity: 1 }]);
        if (broken) throw new Error('broken');
      },
    };
    const jobs = [fragile, ...schedule.filter(({ name }) => name === 'atmosphere')];
    const first = await runDue(worksOf(store), noon, jobs);
    assert.deepEqual(
      first.map(({ job, outcome }) => [job, outcome]),
      [
        ['fragile', 'failed'],
        ['atmosphere', 'ran'],
      ],
    );
    const traces = () => store.all("select * from outlet_activity where outlet_id = 'fragile'");
    assert.equal((await traces()).length, 0);
    broken = false;
    const second = await runDue(worksOf(store), noon + 20_000, jobs);
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
    await runDue(worksOf(store), noon, [late]);
    broken = noon + 2 * SLOT;
    const outcomes = await runDue(worksOf(store), noon + 4 * SLOT, [late]);
    assert.deepEqual(
      outcomes.map(({ slot, outcome }) => [(slot - noon) / SLOT, outcome]),
      [
        [1, 'ran'],
        [2, 'failed'],
      ],
    );
    broken = null;
    const again = await runDue(worksOf(store), noon + 4 * SLOT, [late]);
    assert.deepEqual(
      again.map(({ slot, outcome }) => [(slot - noon) / SLOT, outcome]),
      [2, 3, 4].map((slot) => [slot, 'ran']),
    );
  });

  test('a backfill and live slots write the same rows', async (t) => {
    const [history, live] = [await openMigratedStore(t, makePlace), await openMigratedStore(t, makePlace)];
    const from = noon - 2 * HOUR;
    await backfill(worksOf(history), { from, now: noon });
    for (let slot = from; slot <= noon; slot += SLOT) await runDue(worksOf(live), slot);
    assert.equal(await contents(live), await contents(history));
  });
});

const DAY_LATER = 24 * HOUR;
