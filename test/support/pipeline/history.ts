// Simulated history of the whole city before `NOON`, as the service writes it on its first start.

import { isSleepHour } from '../../../src/domain/decision/moment.ts';
import { DAY, HOUR, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import type { Job } from '../../../src/pipeline/core/context.ts';
import { isDue, schedule } from '../../../src/pipeline/schedule/schedule.ts';
import { runJob, transact } from '../../../src/pipeline/schedule/transact.ts';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import type { Store, Transaction } from '../../../src/store/engine/store.ts';
import { advanceHistory, beginHistory, finishHistory } from '../../../src/store/runtime/history.ts';
import { NOON } from '../services/service.ts';
import { atmosphereJob } from './decision-jobs.ts';
import { freshPipeline } from './fresh-pipeline.ts';
import { knowUsual } from './known-usual.ts';

const { startOfDay } = singapore;

export async function writeHistory(store: Store, days: number): Promise<void> {
  const registry = loadRegistry(cityDir('singapore'));
  await knowUsual(store, registry);
  await backfill(freshPipeline(store, registry), { from: NOON - days * DAY + SLOT, now: NOON });
}

export const MONTH_START = startOfDay(NOON - 31 * DAY);

const monthJobs = schedule
  .filter(({ name }) => !['reveal', 'benchmark', 'rollup'].includes(name))
  .map((job) => (job.name === 'atmosphere' ? { ...job, run: atmosphereJob.run } : job));

/**
 * Equilibrium and stories read much each time, and tests ask for the last days of them: until then equilibrium is computed
 * once a day, and stories are told once an hour, awake, as briefs are drafted of pockets that have one.
 */
function isLeftOut({ name }: Job, slot: number): boolean {
  if (slot >= NOON - 3 * DAY) return false;
  if (name === 'equilibrium') return slot !== startOfDay(slot);
  return name === 'live_story' && (slot % HOUR !== 0 || isSleepHour(singapore.hourOfDay(slot)));
}

/** A month of readings, decisions, verdicts, stories and reports. Sealing forecasts, which takes most of the time, is left out. */
export async function writeMonth(store: Store): Promise<void> {
  const pipeline = freshPipeline(store);
  await store.transaction((tx) => beginHistory(tx, { from: MONTH_START, until: NOON, now: NOON }));
  for (let start = MONTH_START; start <= NOON; start += DAY) {
    const last = Math.min(start + DAY - SLOT, NOON);
    const writeDay = async (tx: Transaction) => {
      for (let slot = start; slot <= last; slot += SLOT) {
        const signals = await pipeline.source.observe(slot);
        for (const job of monthJobs)
          if (isDue(job, slot, singapore) && !isLeftOut(job, slot))
            await runJob(tx, pipeline, job, { slot, now: slot, signals });
      }
      const leaves = await pipeline.ledger.nextLeaf(tx);
      await advanceHistory(tx, { reached: last, now: NOON, leaves });
    };
    await transact(pipeline, writeDay, { virtualClock: true });
  }
  await store.transaction(finishHistory);
}
