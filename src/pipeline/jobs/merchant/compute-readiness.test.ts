import assert from 'node:assert/strict';
import { test } from 'node:test';
import { city } from '../../../../test/support/answers/ask-operation.ts';
import { runDecisionJobs } from '../../../../test/support/pipeline/decision-jobs.ts';
import { freshPipeline } from '../../../../test/support/pipeline/fresh-pipeline.ts';
import { openMigratedStore } from '../../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../../test/support/stores/store-places.ts';
import type { Signal } from '../../../domain/signals/signal.ts';
import type { Norm } from '../../../domain/stats/norm.ts';
import { isOpen } from '../../../domain/time/opening-hours.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../../domain/time/slot.ts';
import { singapore } from '../../../domain/time/zones.fixture.ts';
import { simulatedCity } from '../../../sources/simulated/city.ts';
import type { Store } from '../../../store/engine/store.ts';
import { readinessAt } from '../../../store/merchant/testing/readiness-at.ts';
import type { PipelineContext } from '../../core/context.ts';
import { PipelineState } from '../../core/pipeline-state.ts';

const pockets = city.pockets.filter(({ id }) => id === 'tiongbahru');
const outlets = city.outlets.filter(({ pocket_id }) => pocket_id === 'tiongbahru');
const registry = { ...city, pockets, outlets };
const active = outlets.filter((outlet) => outlet.active);
const cafe = active.find(({ category }) => category === 'cafe');
assert.ok(cafe && active.length === 6);
/** A Thursday after two working days. */
const noon = Date.parse('2026-11-12T12:00:00+08:00');

const simulated = simulatedCity(registry);
/** The simulated city, except that the cafe has the signals of `cafeAt`; null leaves it as simulated. */
const pipelineWithCafe = (
  store: Store,
  cafeAt: (slot: number) => Signal[] | null,
  state = new PipelineState(),
): PipelineContext => ({
  ...freshPipeline(store, registry),
  state,
  source: {
    ...simulated,
    observe: async (slot) => {
      const changed = cafeAt(slot);
      const signals = await simulated.observe(slot);
      return changed ? [...signals.filter(({ outlet_id }) => outlet_id !== cafe.id), ...changed] : signals;
    },
  },
});
const counted = (slot: number, value: number, age = 0): Signal => ({
  ...{ kind: 'outlet_activity', pocket_id: 'tiongbahru', outlet_id: cafe.id, value, source: 'test' },
  ...{ observed_at: slot - age, received_at: slot },
});
const cafeReadiness = async (store: Store, slot: number) =>
  (await readinessAt(store, slot)).find(({ outlet_id }) => outlet_id === cafe.id);

describeStores('readiness', (makePlace) => {
  test('a row for each active outlet at each slot, closed ones by their hours', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await runDecisionJobs(freshPipeline(store, registry), noon - DAY + SLOT, noon);
    for (let slot = noon - DAY + SLOT; slot <= noon; slot += SLOT) {
      const rows = await readinessAt(store, slot);
      assert.deepEqual(
        rows.map(({ outlet_id }) => outlet_id),
        active.map(({ id }) => id).sort(),
      );
      for (const { outlet_id, state, reason, idle_pressure } of rows) {
        const outlet = active.find(({ id }) => id === outlet_id);
        const closed = reason === 'closed, outside its opening hours.';
        assert.equal(closed, !!outlet && !isOpen(outlet, slot, singapore));
        if (closed) assert.deepEqual([state, idle_pressure], ['DO_NOT_PUSH', null]);
      }
    }
  });

  test('idle pressure compares with the usual level of the hour on earlier days of the same kind', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const state = new PipelineState();
    const level = (slot: number) => (slot < noon ? 0.5 : 0.2);
    const pipeline = pipelineWithCafe(store, (slot) => [counted(slot, level(slot))], state);
    await runDecisionJobs(pipeline, noon - 2 * DAY, noon - 2 * DAY + 3 * SLOT);
    await runDecisionJobs(pipeline, noon - DAY, noon - DAY + 3 * SLOT);
    assert.equal((await cafeReadiness(store, noon - DAY + 3 * SLOT))?.idle_pressure, null);
    await runDecisionJobs(pipeline, noon, noon);
    assert.equal((await cafeReadiness(store, noon))?.idle_pressure, 0.6);
    const known = state.get<Record<string, Norm>>('usual work 12')?.[cafe.id];
    assert.equal(known?.samples, 9);
    // Another worker continues from the stored state.
    await runDecisionJobs(
      pipelineWithCafe(store, (slot) => [counted(slot, level(slot))]),
      noon + SLOT,
      noon + SLOT,
    );
    const mean = (8 * 0.5 + 0.2) / 9;
    assert.equal(
      (await cafeReadiness(store, noon + SLOT))?.idle_pressure,
      Math.round(1000 * (1 - 0.2 / mean)) / 1000,
    );
  });

  test('an outlet without a recent count has no readiness state', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const state = new PipelineState();
    const uncounted = pipelineWithCafe(
      store,
      (slot) => (slot === noon ? [] : [counted(slot, 0.5, 31 * MINUTE)]),
      state,
    );
    await runDecisionJobs(uncounted, noon, noon + SLOT);
    for (const slot of [noon, noon + SLOT]) {
      const row = await cafeReadiness(store, slot);
      assert.deepEqual([row?.state, row?.idle_pressure], ['DO_NOT_PUSH', null]);
      assert.equal(row?.reason, 'open, with too little observed to tell more.');
      assert.ok((row?.confidence ?? 1) <= 0.4);
    }
    await runDecisionJobs(
      pipelineWithCafe(store, (slot) => [counted(slot, 0.5, 30 * MINUTE)], state),
      noon + 2 * SLOT,
      noon + 2 * SLOT,
    );
    assert.notEqual(
      (await cafeReadiness(store, noon + 2 * SLOT))?.reason,
      'open, with too little observed to tell more.',
    );
    assert.equal(state.get<Record<string, Norm>>('usual work 12')?.[cafe.id]?.samples, 1);
  });

  test('opening hours, not the activity, decide whether the usual is learned', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const state = new PipelineState();
    await runDecisionJobs(
      pipelineWithCafe(store, (slot) => [counted(slot, 0)], state),
      noon,
      noon,
    );
    assert.equal(
      (await cafeReadiness(store, noon))?.reason,
      'nobody in it within its opening hours, so it may be shut.',
    );
    await runDecisionJobs(
      pipelineWithCafe(store, (slot) => [counted(slot, 0.4)], state),
      noon + 8 * HOUR,
      noon + 8 * HOUR,
    );
    assert.equal((await cafeReadiness(store, noon + 8 * HOUR))?.reason, 'closed, outside its opening hours.');
    const samples = (hour: number) =>
      state.get<Record<string, Norm>>(`usual work ${hour}`)?.[cafe.id]?.samples;
    assert.deepEqual([samples(12), samples(20)], [1, 0]);
  });

  test('an outlet that became inactive has no row, and its norm is dropped', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = pipelineWithCafe(store, () => null);
    await runDecisionJobs(pipeline, noon, noon);
    const without = outlets.map((outlet) => ({ ...outlet, active: outlet.active && outlet.id !== cafe.id }));
    await runDecisionJobs(
      { ...pipeline, registry: { ...registry, outlets: without } },
      noon + SLOT,
      noon + SLOT,
    );
    assert.equal(await cafeReadiness(store, noon + SLOT), undefined);
    assert.equal((await readinessAt(store, noon + SLOT)).length, 5);
    assert.equal(pipeline.state.get<Record<string, Norm>>('usual work 12')?.[cafe.id], undefined);
  });
});
