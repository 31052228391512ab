import type { Reader, Transaction } from '../engine/store.ts';

/**
 * True for the one worker that may run the job for the slot. The claim is part of the caller's transaction: if the
 * worker dies it is rolled back, and another worker's claim waits until the outcome is known.
 */
export async function claim(
  tx: Transaction,
  job: string,
  slot: number,
  worker: string,
  now: number,
): Promise<boolean> {
  const won = await tx.get(
    `insert into job_runs (job, slot, worker, ran_at) values (?, ?, ?, ?)
     on conflict (job, slot) do nothing returning slot`,
    job,
    slot,
    worker,
    now,
  );
  return won !== undefined;
}

/** Records runs without a conflict check: the caller holds the lock of the pipeline's state. */
export const recordRuns = (
  tx: Transaction,
  jobs: readonly { name: string }[],
  slot: number,
  worker: string,
): Promise<void> =>
  tx.insert(
    'job_runs',
    jobs.map(({ name }) => ({ job: name, slot, worker, ran_at: slot })),
  );

/** The last slot up to `until` that the job ran for, null if there is none. */
export const lastRun = async (store: Reader, job: string, until?: number): Promise<number | null> =>
  (await lastSlots(store, [job], until)).get(job) ?? null;

/**
 * The last slot up to `until` that each of these jobs ran for, null where there is none; one query. Without the bound, a
 * run of a worker whose clock was fast would hide that the present slot has not run.
 */
export async function lastSlots(
  store: Reader,
  jobs: readonly string[],
  until = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, number | null>> {
  if (!jobs.length) return new Map();
  const rows = await store.all<{ job: string; slot: number | null }>(
    `select column1 as job, (select max(slot) from job_runs where job = column1 and slot <= ?) as slot
     from (values ${jobs.map(() => '(?)').join(', ')}) as named`,
    until,
    ...jobs,
  );
  return new Map(rows.map(({ job, slot }) => [job, slot]));
}

/** Runs of a job one after the other that are more than `step` apart, oldest first; from the last run before `from`. */
export const runGaps = (
  store: Reader,
  job: string,
  { from, until, step }: { from: number; until: number; step: number },
): Promise<{ after: number; before: number }[]> =>
  store.all(
    `select previous as after, slot as before from (
       select slot, lag(slot) over (order by slot) as previous from job_runs
       where job = ? and slot <= ?
         and slot >= (select coalesce(max(slot), 0) from job_runs where job = ? and slot <= ?)
     ) as runs
     where slot - previous > ? order by slot`,
    ...[job, until, job, from, step],
  );
