import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SLOT } from '../../domain/time/slot.ts';
import type { PipelineContext } from './context.ts';
import { runScheduler } from './scheduler.ts';

test('a fast clock is reported once a slot, however often it is asked', async () => {
  const noon = Date.parse('2026-11-11T04:00:00Z');
  const pipeline = { store: { clock: async () => noon } } as unknown as PipelineContext;
  const stop = new AbortController();
  let now = noon + 4 * SLOT;
  const reported: unknown[] = [];
  await runScheduler(
    pipeline,
    () => now,
    stop.signal,
    (outcomes) => reported.push(...outcomes.map(({ job, slot, outcome }) => [job, slot, outcome])),
    async (milliseconds) => {
      now += milliseconds;
      if (now >= noon + 6 * SLOT) stop.abort();
    },
  );
  assert.deepEqual(
    reported,
    [4, 5].map((slots) => ['all', noon + slots * SLOT, 'failed']),
  );
});
