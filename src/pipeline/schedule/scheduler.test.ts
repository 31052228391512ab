import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SLOT } from '../../domain/time/slot.ts';
import type { PipelineContext } from '../core/context.ts';
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
