// Runs jobs: what is due, each in its own transaction together with its claim on the slot.

import { slotStart } from '../../domain/time/slot.ts';
import { cityZone } from '../../domain/time/zone.ts';
import { ClockError, refuseWrongSlot } from '../../store/engine/clock.ts';
import type { Transaction } from '../../store/engine/store.ts';
import { recordStreamRun } from '../../store/report/stream-runs.ts';
import { claim, lastSlots } from '../../store/runtime/job-runs.ts';
import type { Job, JobContext, PipelineContext } from '../core/context.ts';
import { observeSlot } from '../core/slot-signals.ts';
import { dueSlots, schedule } from './schedule.ts';

type SlotInput = Pick<JobContext, 'slot' | 'now' | 'signals' | 'newest'>;

export interface JobOutcome {
  /** `all`: no job was run, because the clock of this machine is wrong. */
  job: string;
  slot: number;
  /** `elsewhere`: another worker had claimed the slot. */
  outcome: 'ran' | 'elsewhere' | 'failed';
  error?: unknown;
}

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
  const outcomes: JobOutcome[] = [];
  const failed = new Set<Job>();
  for (const { job, slot } of due) {
    if (signal?.aborted) break;
    // A job that ran for a later slot would never return to the one that failed.
    if (failed.has(job)) continue;
    const outcome = await tryJob(pipeline, job, slot, now);
    if (outcome.outcome === 'failed') failed.add(job);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function tryJob(pipeline: PipelineContext, job: Job, slot: number, now: number): Promise<JobOutcome> {
  try {
    // Before the transaction begins: neither a slow source nor a long computation may hold a lock.
    const newest = slot === slotStart(now);
    const signals = job.observes ? await observeSlot(pipeline.source, pipeline.store, slot) : [];
    const run = (await job.prepare?.(pipeline.store, slot)) ?? job.run;
    const ran = await transact(pipeline, (tx) =>
      runJob(tx, pipeline, { ...job, run }, { slot, now, signals, newest }),
    );
    return { job: job.name, slot, outcome: ran ? 'ran' : 'elsewhere' };
  } catch (error) {
    return { job: job.name, slot, outcome: 'failed', error };
  }
}

/**
 * A transaction that includes the pipeline's state and the ledger. When it fails, what this process has of them in
 * memory is dropped, since it differs from the store. `virtualClock`: the slots are not run at their own time, so what
 * is sealed says that it was written afterwards.
 */
export async function transact<T>(
  { store, state, ledger, forecaster }: PipelineContext,
  work: (tx: Transaction) => Promise<T>,
  { virtualClock = false } = {},
): Promise<T> {
  try {
    return await store.transaction(async (tx) => {
      await state.begin(tx);
      if (virtualClock) ledger.markBackfilled();
      const result = await work(tx);
      await ledger.write(tx);
      await state.write(tx);
      return result;
    });
  } catch (error) {
    state.reset();
    ledger.reset();
    forecaster.reset();
    throw error;
  }
}

/** Claims the slot and runs the job; false when another worker has the claim. */
export async function runJob(
  tx: Transaction,
  pipeline: PipelineContext,
  job: Job,
  at: SlotInput,
): Promise<boolean> {
  if (!(await claim(tx, job.name, at.slot, pipeline.worker, at.now))) return false;
  await recordStreamRun(tx, job.name, at.slot, at.now);
  await runClaimed(tx, pipeline, job, at);
  return true;
}

/** Runs a job whose slot the caller has claimed in `tx`. */
export async function runClaimed(
  tx: Transaction,
  { registry, source, state, ledger, forecaster }: PipelineContext,
  job: Job,
  at: SlotInput,
): Promise<void> {
  const { substrate, merchants } = source;
  const zone = cityZone(registry.city);
  await job.run({ tx, registry, zone, state, ledger, forecaster, substrate, merchants, ...at });
}
