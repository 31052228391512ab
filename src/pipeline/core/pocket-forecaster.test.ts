import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storedPayloads } from '../../../test/support/stores/stored-entries.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Store } from '../../store/engine/store.ts';
import { runDue } from '../schedule/run.ts';
import { schedule } from '../schedule/schedule.ts';
import { BlockFile } from './block-file.ts';
import type { PipelineContext } from './context.ts';
import { PocketForecaster, weekShift } from './pocket-forecaster.ts';

const registry = smallCity(2);
// Across midnight, when the learned state is stored.
const start = Date.parse('2026-11-11T21:00:00+08:00');
const jobs = schedule.filter(({ name }) => name === 'atmosphere');
const forecasts = (store: Store) => storedPayloads(store, 'prediction');
const shifts = (store: Store) => store.all('select * from scenario_outlooks order by pocket_id');

test('a weekend of other days is moved to the end of the week', () => {
  const table: [weekend: number[], days: number][] = [
    [[5, 6], 0],
    [[4, 5], 1],
    [[6, 0], -1],
    [[0, 6], -1],
    [[6], 0],
    [[1, 4], 0],
    [[], 0],
  ];
  for (const [weekend, days] of table) assert.equal(weekShift(weekend), days, String(weekend));
});

describeStores('the forecaster of all pockets', (makePlace, engine) => {
  const play = async (
    pipelineAt: (pipeline: PipelineContext | undefined) => PipelineContext,
    before = async (_slot: number): Promise<void> => undefined,
  ) => {
    let pipeline: PipelineContext | undefined;
    for (let slot = start; slot <= start + 6 * HOUR; slot += SLOT) {
      // An outage of an hour and a half.
      if (slot > start + 4 * HOUR && slot < start + 5.5 * HOUR) continue;
      pipeline = pipelineAt(pipeline);
      await before(slot);
      for (const { outcome, error } of await runDue(pipeline, slot, jobs))
        assert.equal(outcome, 'ran', String(error));
    }
  };

  test('restarted before any slot, it forecasts what an uninterrupted one does', async (t) => {
    const [whole, restarted] = [await openMigratedStore(t, makePlace), await openMigratedStore(t, makePlace)];
    await play((pipeline) => pipeline ?? freshPipeline(whole, registry));
    await play(() => freshPipeline(restarted, registry));
    assert.deepEqual(await forecasts(restarted), await forecasts(whole));
    assert.deepEqual(await shifts(restarted), await shifts(whole));
  });

  // What is learned again is decided above the store; the statements of the other engine ran above.
  if (engine === 'postgres') return;

  test('with its places in a file between two slots, it forecasts what one in memory does', async (t) => {
    const [whole, filed] = [await openMigratedStore(t, makePlace), await openMigratedStore(t, makePlace)];
    const file = new BlockFile(tmpdir(), 0);
    await play((pipeline) => pipeline ?? freshPipeline(whole, registry));
    await play(
      (pipeline) =>
        pipeline ?? { ...freshPipeline(filed, registry), forecaster: new PocketForecaster('', file) },
    );
    assert.ok(file.take('')?.length);
    assert.deepEqual(await forecasts(filed), await forecasts(whole));
    const states = (store: Store) => store.all('select * from forecaster_states order by slot, part');
    assert.deepEqual(await states(filed), await states(whole));
  });

  test('one whose file cannot be read fails once and learns again from the store', async (t) => {
    const [whole, broken] = [await openMigratedStore(t, makePlace), await openMigratedStore(t, makePlace)];
    await play((pipeline) => pipeline ?? freshPipeline(whole, registry));
    const file = new BlockFile(tmpdir(), 0);
    const pipeline = { ...freshPipeline(broken, registry), forecaster: new PocketForecaster('', file) };
    const { take } = file;
    const lost = start + HOUR;
    await play(
      () => pipeline,
      async (slot) => {
        file.take = slot === lost ? () => assert.fail('a disk that fails') : take;
        if (slot !== lost) return;
        const [failed] = await runDue(pipeline, slot, jobs);
        assert.equal(failed?.outcome, 'failed');
      },
    );
    assert.deepEqual(await forecasts(broken), await forecasts(whole));
  });

  test('the stored state of an earlier release is ignored', async (t) => {
    const [plain, upgraded] = [await openMigratedStore(t, makePlace), await openMigratedStore(t, makePlace)];
    await play((pipeline) => pipeline ?? freshPipeline(plain, registry));
    const outdated = {
      district: '',
      slot: start - HOUR,
      part: 0,
      body: Buffer.alloc(9_000, 7).toString('base64'),
    };
    await upgraded.transaction((tx) => tx.insert('forecaster_states', [outdated, { ...outdated, part: 1 }]));
    await play((pipeline) => pipeline ?? freshPipeline(upgraded, registry));
    assert.deepEqual(await forecasts(upgraded), await forecasts(plain));
    const parts = await upgraded.all<{ slot: number }>('select distinct slot from forecaster_states');
    assert.ok(parts.some(({ slot }) => slot > start));
  });

  test('a changed city is learned from the readings again', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await play((pipeline) => pipeline ?? freshPipeline(store, registry));
    const larger = freshPipeline(store, smallCity(3));
    const [ran] = await runDue(larger, start + 6 * HOUR + SLOT, jobs);
    assert.equal(ran?.outcome, 'ran', String(ran?.error));
    const last = await store.all(
      "select 1 from predictions where slot = ? and generator like 'pocket_projection_%'",
      start + 6 * HOUR + SLOT,
    );
    assert.equal(last.length, 9);
  });

  test('the readings of a scenario are not learned', async (t) => {
    const [withScenarios, plain] = [
      await openMigratedStore(t, makePlace),
      await openMigratedStore(t, makePlace),
    ];
    await play((pipeline) => pipeline ?? freshPipeline(withScenarios, registry));
    const forecaster = new PocketForecaster();
    // Drops the scenarios that the job asks for.
    const expect = forecaster.forecast.bind(forecaster);
    forecaster.forecast = (tx, city, slot, read) => expect(tx, city, slot, read);
    await play((pipeline) => pipeline ?? { ...freshPipeline(plain, registry), forecaster });
    assert.deepEqual(await forecasts(withScenarios), await forecasts(plain));
  });
});
