import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { FINE_TIME, isDayEnd, PERIOD, periodStart } from '../../domain/stats/rollup.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import type { Reader, Store } from '../../store/engine/store.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { servedEnds } from '../../store/rollup/rollup-totals.ts';
import { rollups } from '../../store/rollup/tables.ts';
import { beginHistory } from '../../store/runtime/history.ts';
import { recordRuns } from '../../store/runtime/job-runs.ts';
import { runClaimed, transact } from '../schedule/transact.ts';
import { rollUpPeriods } from './rollup.ts';

const start = Date.parse('2026-11-02T00:00:00+08:00');
const job = { name: 'rollup', cron: '*/30 * * * *', late: 'skip', run: rollUpPeriods } as const;
const judging = ['vindication', 'reveal', 'commitment'].map((name) => ({ name }));

/** Runs the job for a slot up to which everything is judged; `finish` is the end of its transaction. */
const runJob = (pipeline: ReturnType<typeof freshPipeline>, slot: number, finish = () => {}) =>
  transact(pipeline, async (tx) => {
    await recordRuns(tx, judging, slot, 'test');
    await runClaimed(tx, pipeline, job, { slot, now: slot, signals: [] });
    finish();
  });

const play = async (pipeline: ReturnType<typeof freshPipeline>, from: number, to: number) => {
  for (let slot = from; slot <= to; slot += PERIOD) await runJob(pipeline, slot);
};

/** The half hours that have totals of forecasts. */
const endsIn = async (store: Reader): Promise<number[]> =>
  (
    await store.all<{ period_end: number }>(
      'select distinct period_end from rollup_forecasts order by period_end',
    )
  ).map(({ period_end }) => period_end);

const stored = async (store: Reader) => {
  const found: object[][] = [];
  for (const { name, keys } of rollups)
    found.push(await store.all<object>(`select * from ${name} order by period_end, ${keys.join(', ')}`));
  return found;
};

const pipelineOf = (store: Store) => freshPipeline(store, smallCity(2));

describeStores('the job of rollups', (makePlace, engine) => {
  /** With a reading and a forecast at `start`, so that there are totals from the first half hour on. */
  async function openStoreWithForecast(t: TestContext) {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction((tx) =>
      writeReadings(tx, [
        {
          ...{ slot: start, pocket_id: 'holland', primary_state: 'calm-social', anomaly_flag: false },
          ...{ stress: 0.5, calm: 0.5, social_energy: 0.5, productive: 0.5, completeness: 1 },
        },
      ]),
    );
    await writeForecasts(store, [{ slot: start, score: 1 }]);
    return store;
  }

  test('drops a half hour for each that it adds; a failure takes nothing away, and the next run does both', async (t) => {
    const store = await openStoreWithForecast(t);
    const pipeline = pipelineOf(store);
    await play(pipeline, start + 4 * HOUR, start + 3 * DAY);
    const [before, kept] = [await stored(store), await endsIn(store)];
    const killed = runJob(pipeline, start + 3 * DAY + PERIOD, () => {
      throw new Error('killed');
    });
    await assert.rejects(killed, /killed/);
    assert.deepEqual(await stored(store), before);
    // Another process goes on from what is stored.
    await runJob(pipelineOf(store), start + 3 * DAY + PERIOD);
    const next = (kept.at(-1) ?? 0) + PERIOD;
    const old = next - FINE_TIME;
    assert.ok(kept.includes(old) && !isDayEnd(old, singapore));
    assert.deepEqual(await endsIn(store), [...kept.filter((end) => end !== old), next]);
  });

  // When half hours become days is decided above the store; the statements of the other engine ran above.
  if (engine === 'postgres') return;
  test('a history is written by days up to the last two, and these by half hours', async (t) => {
    const store = await openStoreWithForecast(t);
    const pipeline = pipelineOf(store);
    const until = start + 4 * DAY;
    await store.transaction((tx) => beginHistory(tx, { from: start, until, now: until }));
    await play(pipeline, start + 4 * HOUR, start + DAY);
    assert.deepEqual(await endsIn(store), [start + 8 * HOUR]);
    await play(pipeline, start + DAY + PERIOD, until);
    const { first, last } = (await servedEnds(store)).rollups;
    assert.equal(last, until - 3 * HOUR);
    assert.deepEqual(await endsIn(store), [
      ...[8, 24, 32].map((hours) => start + hours * HOUR),
      ...Array.from({ length: FINE_TIME / PERIOD }, (_, n) => (first ?? 0) + n * PERIOD),
    ]);
  });

  test('the totals at the end of the history stay', async (t) => {
    const store = await openStoreWithForecast(t);
    const reached = start + 14 * HOUR + SLOT;
    await store.transaction(async (tx) => {
      await beginHistory(tx, { from: start, until: reached, now: reached });
      await tx.run('update history_progress set reached_slot = ?, finished = 1', reached);
    });
    await play(pipelineOf(store), start + 4 * HOUR, start + 3.5 * DAY);
    const found = await endsIn(store);
    assert.deepEqual(
      found.filter((end) => end <= (found.at(-1) ?? 0) - FINE_TIME),
      [8, 14.5, 24, 32].map((hours) => periodStart(start + hours * HOUR + SLOT)),
    );
  });
});
