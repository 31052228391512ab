import { DAY, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { giveNumbers } from '../rows/name-numbers.ts';

/** Jobs and workers, in the order in which they first ran or claimed something. */
const runNames = { table: 'run_names', name: 'name' };

/** The number of the job that is the parameter. Of the view `job_runs` PostgreSQL would find no last run by an index. */
const jobNumber = '(select number from run_names where name = ?)';

/** The condition for rows of `job_claims` that are of a job. */
export const ofJob = `job = ${jobNumber}`;

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
  await giveNumbers(tx, runNames, [job, worker]);
  const won = await tx.get(
    `insert into job_claims (job, slot, worker, ran_at) values (${jobNumber}, ?, ${jobNumber}, ?)
     on conflict (job, slot) do nothing returning slot`,
    job,
    slot,
    worker,
    now === slot ? null : now,
  );
  return won !== undefined;
}

export const hasRun = async (store: Reader, { job, slot }: { job: string; slot: number }): Promise<boolean> =>
  (await store.get(`select slot from job_claims where ${ofJob} and slot = ?`, job, slot)) !== undefined;

/** Records runs without a conflict check: the caller holds the lock of the pipeline's state. */
export async function recordRuns(
  tx: Transaction,
  jobs: readonly { name: string }[],
  slot: number,
  worker: string,
): Promise<void> {
  const numbers = await giveNumbers(tx, runNames, [...jobs.map(({ name }) => name), worker]);
  await tx.insert(
    'job_claims',
    jobs.map(({ name }) => ({ slot, ran_at: null, job: numbers.get(name), worker: numbers.get(worker) })),
  );
}

/** How many slots of each day of UTC (days since 1970) the job ran for, of those from `from` to `until`. */
export const runsByDay = (
  store: Reader,
  job: string,
  from: number,
  until: number,
): Promise<{ day: number; runs: number }[]> =>
  store.all(
    `select slot / 86400000 as day, count(*) as runs from job_claims
     where ${ofJob} and slot >= ? and slot <= ? group by day`,
    job,
    from,
    until,
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
    `select column1 as job, (select max(c.slot) from job_claims c where c.job = n.number and c.slot <= ?) as slot
     from (values ${jobs.map(() => '(?)').join(', ')}) as named left join run_names n on n.name = column1`,
    until,
    ...jobs,
  );
  return new Map(rows.map(({ job, slot }) => [job, slot]));
}

/** Two runs of a job one after the other, with slots between them that it did not run for. */
export interface RunGap {
  after: number;
  before: number;
}

/**
 * The gaps in the runs of a job that is due at every slot, from `from` up to `until`, oldest first; one that began before
 * `from` is whole. Days are counted first, which is a fraction of the work of comparing neighbours, and only those that
 * lack a run are looked into.
 */
export async function runGaps(store: Reader, job: string, from: number, until: number): Promise<RunGap[]> {
  const days: { begin: number; end: number }[] = [];
  for (let begin = from; begin <= until; begin += DAY)
    days.push({ begin, end: Math.min(begin + DAY, slotStart(until) + SLOT) });
  const counts = await store.all<{ runs: number }>(
    `select (select count(*) from job_claims where ${ofJob} and slot >= column1 and slot < column2) as runs
     from (values ${days.map(() => '(cast(? as bigint), cast(? as bigint))').join(', ')}) as day order by column1`,
    job,
    ...days.flatMap(({ begin, end }) => [begin, end]),
  );
  const incomplete: { begin: number; end: number }[] = [];
  for (const [at, { begin, end }] of days.entries()) {
    if ((counts[at]?.runs ?? 0) * SLOT >= end - begin) continue;
    const previous = incomplete.at(-1);
    if (previous?.end === begin) previous.end = end;
    else incomplete.push({ begin, end });
  }
  const gaps = await Promise.all(incomplete.map(({ begin, end }) => gapsBetween(store, job, begin, end)));
  // A gap over midnight is found on both sides of a day that is whole up to it.
  const unique = new Map(gaps.flat().map((gap) => [gap.after, gap]));
  return [...unique.values()].filter(({ before }) => before <= until);
}

/** From the last run before `begin` to the first one from `end` on. */
const gapsBetween = (store: Reader, job: string, begin: number, end: number): Promise<RunGap[]> =>
  store.all(
    `select previous as after, slot as before from (
       select slot, lag(slot) over (order by slot) as previous from job_claims where ${ofJob}
         and slot >= coalesce((select max(slot) from job_claims where ${ofJob} and slot < ?), 0)
         and slot <= coalesce((select min(slot) from job_claims where ${ofJob} and slot >= ?), ?)
     ) as runs
     where slot - previous > ? order by slot`,
    ...[job, job, begin, job, end, end, SLOT],
  );
