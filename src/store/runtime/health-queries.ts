import { DAY } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Reader } from '../engine/store.ts';
import { openTakedowns } from '../merchant/takedowns.ts';
import { readTotals } from '../rollup/read-rollups.ts';
import { reasonRollup, tierRollup } from '../rollup/tables.ts';
import { migrationStatus } from '../schema/migrate.ts';
import { ofJob } from './job-runs.ts';
import { openReviews } from './reviews.ts';

/** What the health scorecard needs from the store. */
export async function readHealth(store: Reader, now: number, zone: Zone) {
  const at = async (sql: string, ...params: number[]) =>
    (await store.get<{ at: number | null }>(sql, ...params))?.at ?? null;
  const lastDay = { from: now - DAY + 1, to: now + 1 };
  const [observed, { emissions }, { silences }, takedowns, reviews, migrations] = await Promise.all([
    at('select max(slot) as at from snapshots where slot <= ?', now),
    readTotals(store, tierRollup, lastDay, { sums: ['emissions'] }),
    readTotals(store, reasonRollup, lastDay, { sums: ['silences'] }),
    openTakedowns(store, now),
    openReviews(store, now, zone),
    migrationStatus(store),
  ]);
  return {
    observed,
    decisions: { spoken: emissions, withheld: silences },
    takedowns_due: takedowns.map(({ due_at }) => due_at),
    reviews_waiting: reviews.map(({ age }) => age),
    missing_migrations: migrations.missing_count,
  };
}

export interface LastRun {
  job: string;
  slot: number;
  ran_at: number;
}

/** The last run, of those for slots up to `until`, of each of these jobs that has one. */
export async function lastRuns(store: Reader, jobs: readonly string[], until: number): Promise<LastRun[]> {
  const runs = await Promise.all(
    jobs.map((job) =>
      store.get<LastRun>(
        `select cast(? as text) as job, slot, coalesce(ran_at, slot) as ran_at from job_claims
         where ${ofJob} and slot <= ? order by slot desc limit 1`,
        job,
        job,
        until,
      ),
    ),
  );
  return runs.flatMap((run) => run ?? []);
}

/** The first slot that the job ever ran for: whatever was due before has not been missed. */
export const firstRun = async (store: Reader, job: string): Promise<number | null> =>
  (await store.get<{ slot: number | null }>(`select min(slot) as slot from job_claims where ${ofJob}`, job))
    ?.slot ?? null;
