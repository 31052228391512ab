import assert from 'node:assert/strict';
import { test } from 'node:test';
import { city } from '../../../test/support/answers/ask-operation.ts';
import { runDecisionJobs } from '../../../test/support/pipeline/decision-jobs.ts';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { periodicJobs, runPeriodicJobs } from '../../../test/support/pipeline/periodic-jobs.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { writeSenses } from '../../../test/support/rows/senses.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { scoreEquilibrium } from '../../domain/decision/equilibrium.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { equilibriaWithin } from '../../store/decision/equilibrium.ts';
import type { Store } from '../../store/engine/store.ts';
import { rolledUpTo } from '../../store/rollup/read-rollups.ts';
import { rollUp } from '../../store/rollup/write-rollups.ts';
import { writePocketDistricts } from '../../store/runtime/districts.ts';
import { recordRuns } from '../../store/runtime/job-runs.ts';
import { runDue } from '../schedule/run.ts';
import { transact } from '../schedule/transact.ts';
import { equilibriumInputs, equilibriumSums } from './equilibrium-inputs.ts';

const small = smallCity(['holland', 'tiongbahru']);
const noon = Date.parse('2026-11-11T12:00:00+08:00');
const readings = async (store: Store, pocket = 'tiongbahru') =>
  equilibriaWithin(store, pocket, { after: 0, until: noon + 24 * HOUR });

describeStores('equilibrium', (makePlace) => {
  test('every pocket has a reading, also one without data; the first with data is forming', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store);
    await runDue(pipeline, noon, periodicJobs);
    for (const { id } of city.pockets) {
      const [reading] = await readings(store, id);
      assert.deepEqual([reading?.composite, reading?.direction], [null, 'unknown'], id);
    }
    await writeDecisions(store, [{ slot: noon + SLOT, gate: 'why_now' }]);
    await runDue(pipeline, noon + 2 * SLOT, periodicJobs);
    await runDue(pipeline, noon + 4 * SLOT, periodicJobs);
    const seen = (await readings(store)).map(({ composite, direction }) => [composite, direction]);
    assert.deepEqual(seen, [
      [null, 'unknown'],
      [0.75, 'forming'],
      [0.75, 'stable'],
    ]);
  });

  test('judged decisions count for a day, from the half hour in which their hour has ended', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [
      { slot: noon - 2 * SLOT, gate: 'why_now', vindicated: true },
      { slot: noon - SLOT, gate: 'why_now', vindicated: false },
      { slot: noon, gate: 'resonance', vindicated: null },
      { slot: noon + SLOT, gate: null },
      { slot: noon + 2 * SLOT, gate: 'why_now', vindicated: false },
    ]);
    await runPeriodicJobs(freshPipeline(store, small), noon, noon + 24 * HOUR);
    const all = new Map((await readings(store)).map((reading) => [reading.slot, reading.dimensions]));
    const at = (hours: number) => {
      const read = all.get(noon + hours * HOUR);
      return [read?.restraint_quality, read?.emission_quality];
    };
    assert.deepEqual(at(0), [null, null]);
    assert.deepEqual(at(0.5), [1, null]);
    assert.deepEqual(at(1), [0.5, null]);
    assert.deepEqual(at(1.5), [0.333, 1]);
    assert.deepEqual(at(24), [0.333, 1]);
  });

  test('hour-ahead forecasts count once revealed; inconclusive and shadow ones do not', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeForecasts(store, [
      { slot: noon - SLOT, score: 0.5 },
      { slot: noon, score: 0.49 },
      { slot: noon, score: null },
      { slot: noon, score: 0, shadow: true },
      { slot: noon, score: 0, generator: 'quiet_window_60m' },
      { slot: noon + SLOT, score: 1 },
      { slot: noon + SLOT },
    ]);
    await runPeriodicJobs(freshPipeline(store, small), noon, noon + 2 * HOUR);
    const trust = (await readings(store)).map(({ dimensions }) => dimensions.prediction_trust);
    assert.deepEqual(trust, [null, null, 0.5, 0.667, 0.667]);
  });

  test('senses and readings count for four hours', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeDecisions(store, [{ slot: noon, gate: 'why_now' }]);
    await writeSenses(store, [{ slot: noon, word: 'calm', people: 5 }]);
    await runPeriodicJobs(freshPipeline(store, small), noon, noon + 5 * HOUR);
    for (const { slot, dimensions } of await readings(store)) {
      const fresh = slot < noon + 4 * HOUR;
      assert.equal(dimensions.atmosphere_calm, fresh ? 0.75 : null);
      assert.equal(dimensions.citizen_alignment, fresh ? 0.5 : null);
    }
  });

  test('after an outage the reading is compared with the last one before it, and the gap stays', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store);
    await writeDecisions(store, [{ slot: noon, gate: 'why_now', vindicated: false }]);
    await runDue(pipeline, noon, periodicJobs);
    await runDue(freshPipeline(store), noon + 3 * HOUR + 20 * 60_000, periodicJobs);
    const seen = (await readings(store)).map(({ slot, composite, direction }) => [
      slot,
      composite,
      direction,
    ]);
    assert.deepEqual(seen, [
      [noon, 0.75, 'forming'],
      [noon + 3 * HOUR, 0.375, 'degrading'],
    ]);
  });

  test('a reading from rollups equals the reading from rows alone', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store, small);
    // Verdicts count for the day that ended an hour ago.
    await runDecisionJobs(pipeline, noon - 26 * HOUR, noon);
    await runPeriodicJobs(pipeline, noon - 26 * HOUR, noon);
    const read = (district = WHOLE_CITY) =>
      transact(pipeline, async (tx) =>
        equilibriumInputs({ tx, zone: singapore, slot: noon, district }, await equilibriumSums(tx, noon)),
      );
    const byRows = await read();
    await store.transaction(async (tx) => {
      // This history has no forecasts and no commitments, so none of them holds the rollup back.
      await recordRuns(tx, [{ name: 'reveal' }, { name: 'commitment' }], noon, 'test');
      await rollUp(tx, singapore);
    });
    assert.equal(await rolledUpTo(store), noon - 3 * HOUR);
    const byRollups = await read();
    for (const { id } of small.pockets) {
      assert.deepEqual(byRollups(id), byRows(id), id);
      const { dimensions } = scoreEquilibrium(byRows(id), null);
      assert.deepEqual((await readings(store, id)).at(-1)?.dimensions, dimensions);
    }
    const districts = new Map(small.pockets.map(({ id }, n) => [id, `d${n % 2}`]));
    await store.transaction((tx) => writePocketDistricts(tx, districts));
    for (const [id, district] of districts) assert.deepEqual((await read(district))(id), byRows(id), id);
    const [expected] = await store.all<{ calm: number; vindicated: number }>(
      `select avg(calm) as calm,
         (select avg(1 - served) from verdicts v
           where v.spoke = 0 and v.pocket_id = 'holland' and v.slot > ? and v.slot <= ?) as vindicated
       from atmosphere_readings where pocket_id = 'holland' and slot > ? and slot <= ?`,
      noon - 25 * HOUR,
      noon - HOUR,
      noon - 4 * HOUR,
      noon,
    );
    const { dimensions } = scoreEquilibrium(byRows('holland'), null);
    assert.ok(Math.abs((dimensions.atmosphere_calm ?? 2) - (expected?.calm ?? 0)) < 0.00051);
    assert.ok(Math.abs((dimensions.restraint_quality ?? 2) - (expected?.vindicated ?? 0)) < 0.00051);
  });

  test('a reading is never changed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await runDue(freshPipeline(store), noon, periodicJobs);
    for (const statement of [
      'update equilibrium_figures set composite_milli = 1',
      'delete from equilibrium_figures',
    ])
      await assert.rejects(
        store.transaction((tx) => tx.run(statement)),
        /append-only/,
      );
  });
});
