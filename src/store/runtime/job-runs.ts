import type { Reader, Transaction } from '../engine/store.ts';

/**
 * True for the one worker that may run the job for the slot. The claim stands or falls with the caller's transaction:
 * a worker that dies takes its claim with it, and a rival waits until it is known which of the two happened.
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

/** Claims that nobody else can be after: whoever calls holds the lock of the memory. */
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

export async function lastRun(store: Reader, job: string): Promise<number | null> {
  const row = await store.get<{ slot: number | null }>(
    'select max(slot) as slot from job_runs where job = ?',
    job,
  );
  return row?.slot ?? null;
}

/** The last run of each of these jobs, in one question. */
export async function lastRuns(store: Reader, jobs: readonly string[]): Promise<Map<string, number | null>> {
  const rows = await store.all<{ job: string; slot: number | null }>(
    `select column1 as job, (select max(slot) from job_runs where job = column1) as slot
     from (values ${jobs.map(() => '(?)').join(', ')}) as named`,
    ...jobs,
  );
  return new Map(rows.map(({ job, slot }) => [job, slot]));
}
