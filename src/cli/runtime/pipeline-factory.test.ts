import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceEnvironment } from '../../../test/support/services/processes.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { readConfig } from '../../config.ts';
import type { Outlet } from '../../domain/city/city.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { runDue } from '../../pipeline/schedule/run.ts';
import { simulatedCity } from '../../sources/simulated/city.ts';
import { withOperatorLock } from '../../store/engine/operator-lock.ts';
import { writeOutletChange } from '../../store/merchant/outlet-changes.ts';
import { createPipeline, type Pipeline } from './pipeline-factory.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const id = 'b1f0c1de-8a55-4e0c-9d3a-0a4c8f7a9b11';
const SLOTS = 6;

/** Runs the jobs of some slots; returns in how many of them the outlet was observed. */
async function run(pipeline: Pipeline, from: number, outlet: string): Promise<number> {
  for (let n = 0; n < SLOTS; n += 1) {
    const outcomes = await runDue(pipeline, from + n * SLOT);
    assert.ok(outcomes.some(({ job, outcome }) => job === 'atmosphere' && outcome === 'ran'));
  }
  const row = await pipeline.store.get<{ count: number }>(
    'select count(*) as count from counted_outlets where outlet_id = ? and slot >= ?',
    outlet,
    from,
  );
  return row?.count ?? 0;
}

describeStores('createPipeline', (makePlace) => {
  test('picks up changed outlets without a restart', async (t) => {
    const place = await makePlace();
    const pipeline = await createPipeline(
      readConfig({ ...serviceEnvironment(place), DATABASE_URL: place.databaseUrl ?? '' }),
    );
    t.after(async () => {
      await pipeline.store.close();
      await place.remove();
    });
    const { registry, source } = pipeline;
    const [known] = registry.outlets.filter(
      ({ active, opens_at, closes_at }) => active && opens_at < '11:00' && closes_at > '19:00',
    ) as [Outlet];
    const added: Outlet = { ...known, id, name: 'Ferry Bell' };
    const change = (action: 'add' | 'deactivate', outlet: string, fields: Partial<Outlet>) =>
      withOperatorLock(pipeline.store, (tx) => writeOutletChange(tx, action, outlet, fields, noon));

    assert.equal(await run(pipeline, noon, id), 0);
    assert.equal(pipeline.registry, registry);
    assert.equal(pipeline.source, source);

    await change('add', id, added);
    await change('deactivate', known.id, { active: false });
    const later = noon + SLOTS * SLOT;
    assert.ok((await run(pipeline, later, id)) > SLOTS / 2);
    assert.equal(await run(pipeline, later + SLOTS * SLOT, known.id), 0);

    // The signals of an outlet do not depend on other outlets.
    const others = (signals: Awaited<ReturnType<typeof source.observe>>) =>
      signals.filter(({ outlet_id }) => outlet_id !== id && outlet_id !== known.id);
    assert.deepEqual(others(await pipeline.source.observe(later)), others(await source.observe(later)));
    assert.deepEqual(
      await simulatedCity(pipeline.registry).observe(later),
      await pipeline.source.observe(later),
    );

    await change('deactivate', id, { active: false });
    assert.equal(await run(pipeline, later + 2 * SLOTS * SLOT, id), 0);
  });
});
