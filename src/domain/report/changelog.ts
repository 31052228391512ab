import { meanOf, shareOf } from '../stats/forecast-sums.ts';
import { summed } from '../stats/tally.ts';
import { addCounts, nothingCounted, type PocketCounts } from '../stats/thirds.ts';
import { DAY } from '../time/sgt.ts';

/** A day of UTC. Null: nothing to average, or nobody spoke. */
export interface ChangelogEntry {
  /** 'YYYY-MM-DD' */
  date: string;
  atmosphere_readings: number;
  narrations_surfaced: number;
  notifications_deferred: number;
  /** Of what could have been said, the share that was. */
  surfaced_ratio: number | null;
  predictions_sealed: number;
  predictions_revealed: number;
  mean_accuracy: number | null;
  sustainability_sgd: number;
  /** Where most was said. */
  top_pocket: { pocket_id: string; count: number } | null;
}

/** What a day added up to, pocket by pocket. */
type DayCounts = ReadonlyMap<string, PocketCounts>;

/** The days up to that of `now`, newest first; `counts` and `cents` are by days since the epoch. */
export const changelog = (
  counts: ReadonlyMap<number, DayCounts>,
  cents: ReadonlyMap<number, number>,
  now: number,
  days: number,
): ChangelogEntry[] =>
  Array.from({ length: days }, (_, ago) => Math.floor(now / DAY) - ago).map((day) =>
    entryOf(day, counts.get(day) ?? new Map(), cents.get(day) ?? 0),
  );

function entryOf(day: number, pockets: DayCounts, cents: number): ChangelogEntry {
  const total = nothingCounted();
  for (const counts of pockets.values()) addCounts(total, counts);
  const [top] = summed(
    [...pockets],
    ([pocket]) => pocket,
    ([, { emissions }]) => emissions,
  );
  return {
    date: new Date(day * DAY).toISOString().slice(0, 10),
    atmosphere_readings: total.readings,
    narrations_surfaced: total.emissions,
    notifications_deferred: total.silences,
    surfaced_ratio: shareOf(total.emissions, total.emissions + total.silences),
    predictions_sealed: total.sealed,
    predictions_revealed: total.due,
    mean_accuracy: meanOf(total.due_score, total.due),
    sustainability_sgd: cents / 100,
    top_pocket: top && top[1] > 0 ? { pocket_id: top[0], count: top[1] } : null,
  };
}
