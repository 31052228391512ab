import { slotOf } from '../../domain/time/sgt.ts';
import type { Transaction } from '../../store/engine/store.ts';
import { claim, lastRuns } from '../../store/runtime/job-runs.ts';
import { signalsOf } from '../backfill/signal-prefetcher.ts';
import type { Job, JobContext, PipelineContext } from './context.ts';
import { dueSlots, schedule } from './schedule.ts';

export interface JobOutcome {
  job: string;
  slot: number;
  /** `elsewhere`: another worker had claimed the slot. */
  outcome: 'ran' | 'elsewhere' | 'failed';
  error?: unknown;
}

/** Runs all that is due at `now`, each job in a transaction of its own so that one that fails takes no other with it. */
export async function runDue(
  works: PipelineContext,
  now: number,
  jobs: readonly Job[] = schedule,
): Promise<JobOutcome[]> {
  await works.renew?.();
  const ran = await lastRuns(
    works.store,
    jobs.map(({ name }) => name),
  );
  const due = jobs.flatMap((job) =>
    dueSlots(job, ran.get(job.name) ?? null, now).map((slot) => ({ job, slot })),
  );
  // A stable sort: jobs of one slot keep the order of the table.
  due.sort((a, b) => a.slot - b.slot);
  const outcomes: JobOutcome[] = [];
  const failed = new Set<Job>();
  for (const { job, slot } of due) {
    // A job that ran past a slot that failed would never come back to it.
    if (failed.has(job)) continue;
    const outcome = await runApart(works, job, slot, now);
    if (outcome.outcome === 'failed') failed.add(job);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function runApart(works: PipelineContext, job: Job, slot: number, now: number): Promise<JobOutcome> {
  try {
    // Feeds are asked before the transaction begins: a slow one must not hold a lock.
    const newest = slot === slotOf(now);
    const signals = job.observes ? await signalsOf(works.source, works.store, slot) : [];
    const ran = await transact(works, now, (tx) => runJob(tx, works, job, { slot, now, signals, newest }));
    return { job: job.name, slot, outcome: ran ? 'ran' : 'elsewhere' };
  } catch (error) {
    return { job: job.name, slot, outcome: 'failed', error };
  }
}

/** A transaction with state and ledger: recalled when it begins, written before it ends, forgotten when it fails. */
export async function transact<T>(
  { store, state, ledger, forecaster }: PipelineContext,
  now: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await store.transaction(async (tx) => {
      await state.recall(tx);
      const result = await work(tx);
      await ledger.write(tx, now);
      await state.write(tx);
      return result;
    });
  } catch (error) {
    state.forget();
    ledger.forget();
    forecaster.forget();
    throw error;
  }
}

export async function runJob(
  tx: Transaction,
  works: PipelineContext,
  job: Job,
  at: Pick<JobContext, 'slot' | 'now' | 'signals' | 'newest'>,
): Promise<boolean> {
  if (!(await claim(tx, job.name, at.slot, works.worker, at.now))) return false;
  await runClaimed(tx, works, job, at);
  return true;
}

/** Has another thread see to what a job does apart. */
export type SendApart = (errand: Errand) => void;
export interface Errand {
  job: string;
  slot: number;
}

export async function runClaimed(
  tx: Transaction,
  { registry, source, state, ledger, forecaster }: PipelineContext,
  job: Job,
  at: Pick<JobContext, 'slot' | 'now' | 'signals' | 'newest'>,
  apart?: SendApart,
): Promise<void> {
  const { substrate, merchants } = source;
  state.run();
  const tick = { tx, registry, state, ledger, forecaster, substrate, merchants, ...at };
  await job.run?.(tick);
  if (!apart) return job.apart?.(tick);
  if (job.apart) apart({ job: job.name, slot: at.slot });
}
