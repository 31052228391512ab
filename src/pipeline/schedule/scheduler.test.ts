import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { sqlitePlace } from '../../../test/support/stores/store-places.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { type Store, StoreError } from '../../store/engine/store.ts';
import type { PipelineContext } from '../core/context.ts';
import { runDue } from './run.ts';
import { runScheduler } from './scheduler.ts';

for (const [name, off] of [
  ['fast', 4 * SLOT],
  ['slow', -4 * SLOT],
] as const)
  test(`a ${name} clock is reported once a slot, however often it is asked`, () => reportsOnceASlot(off));

async function reportsOnceASlot(off: number): Promise<void> {
  const noon = Date.parse('2026-11-11T04:00:00Z');
  let now = noon + off;
  const pipeline = { store: { clock: async () => now - off } } as unknown as PipelineContext;
  const stop = new AbortController();
  const reported: unknown[] = [];
  await runScheduler(
    pipeline,
    () => now,
    stop.signal,
    (outcomes) => reported.push(...outcomes.map(({ job, slot, outcome }) => [job, slot, outcome])),
    async (milliseconds) => {
      now += milliseconds;
      if (now >= noon + off + 2 * SLOT) stop.abort();
    },
  );
  assert.deepEqual(
    reported,
    [0, 1].map((slots) => ['all', noon + off + slots * SLOT, 'failed']),
  );
}

test('after a full disk a round with nothing left to do is told, since another worker found room', async (t) => {
  const noon = Date.parse('2026-11-11T04:00:00Z');
  const store = await openMigratedStore(t, sqlitePlace);
  const noRoom: Store = {
    ...store,
    clock: async () => noon,
    transaction: () => Promise.reject(new StoreError('full')),
  };
  const stop = new AbortController();
  const told: string[][] = [];
  let rounds = 0;
  await runScheduler(
    freshPipeline(noRoom, smallCity()),
    () => noon,
    stop.signal,
    (outcomes) => told.push([...new Set(outcomes.map(({ outcome }) => outcome))]),
    async () => {
      rounds += 1;
      if (rounds === 1) await runDue(freshPipeline(store, smallCity()), noon);
      if (rounds === 3) stop.abort();
    },
  );
  assert.deepEqual(told, [['failed'], []]);
});
