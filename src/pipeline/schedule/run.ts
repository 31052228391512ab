// Runs jobs: what is due, each in its own transaction together with its claim on the slot.

import { slotStart } from '../../domain/time/slot.ts';
import { cityZone } from '../../domain/time/zone.ts';
import { ClockError, refuseWrongSlot } from '../../store/engine/clock.ts';
import { lastSlots } from '../../store/runtime/job-runs.ts';
import type { Job, JobOutcome, PipelineContext } from '../core/context.ts';
import { observeSlot } from '../core/slot-signals.ts';
import { closePassedSteps, runDistricts } from './run-districts.ts';
import { dueSlots, schedule } from './schedule.ts';
import { prepareJob, runJob, transact } from './transact.ts';

/**
 * Runs everything that is due by the real clock. While the current slot has not come by the store's clock, or has
 * passed, nothing is run: what a wrong clock seals cannot be taken back.
 */
export async function runDueNow(
  pipeline: PipelineContext,
  clock: () => number,
  signal?: AbortSignal,
): Promise<JobOutcome[]> {
  const now = clock();
  const slot = slotStart(now);
  try {
    await refuseWrongSlot(pipeline.store, now);
  } catch (error) {
    if (error instanceof ClockError) return [{ job: 'all', slot, outcome: 'failed', error }];
    throw error;
  }
  return runDue(pipeline, now, schedule, signal);
}

/**
 * Runs everything that is due at `now`, each job in a transaction of its own: a failure rolls back no other job. When
 * `signal` aborts, the job under way is the last: the others stay due.
 */
export async function runDue(
  pipeline: PipelineContext,
  now: number,
  jobs: readonly Job[] = schedule,
  signal?: AbortSignal,
): Promise<JobOutcome[]> {
  await pipeline.reloadOutlets?.();
  const last = await lastSlots(
    pipeline.store,
    jobs.map(({ name }) => name),
    slotStart(now),
  );
  const zone = cityZone(pipeline.registry.city);
  const due = jobs.flatMap((job) =>
    dueSlots(job, last.get(job.name) ?? null, now, zone).map((slot) => ({ job, slot })),
  );
  // A stable sort: jobs of one slot keep the order of the schedule.
  due.sort((a, b) => a.slot - b.slot);
  const districts = await pipeline.districts.load(pipeline);
  const outcomes = districts.length ? await closePassedSteps(pipeline, districts, jobs, now) : [];
  if (outcomes.some(({ outcome }) => outcome === 'failed')) return outcomes;
  const failed = new Set<Job>();
  for (const { job, slot } of due) {
    if (signal?.aborted) break;
    // A job that ran for a later slot would never return to the one that failed.
    if (failed.has(job)) continue;
    const isShared = job.byDistrict && districts.length > 0;
    const outcome = isShared
      ? await runDistricts(pipeline, districts, job, { slot, now, signal })
      : await tryJob(pipeline, job, slot, now);
    if (!outcome) break;
    outcomes.push(outcome);
    if (outcome.outcome !== 'failed') continue;
    failed.add(job);
    // What follows needs what all districts have sealed.
    if (isShared) break;
  }
  return outcomes;
}

async function tryJob(pipeline: PipelineContext, job: Job, slot: number, now: number): Promise<JobOutcome> {
  try {
    // Before the transaction begins: neither a slow source nor a long computation may hold a lock.
    const newest = slot === slotStart(now);
    const signals = job.observes ? await observeSlot(pipeline.source, pipeline.store, slot) : [];
    const prepared = await prepareJob(job, pipeline.store, slot);
    const ran = await transact(pipeline, (tx) =>
      runJob(tx, pipeline, prepared, { slot, now, signals, newest }),
    );
    return { job: job.name, slot, outcome: ran ? 'ran' : 'elsewhere' };
  } catch (error) {
    return { job: job.name, slot, outcome: 'failed', error };
  }
}
