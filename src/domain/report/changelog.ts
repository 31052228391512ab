import { inSgd } from '../merchant/money.ts';
import { sumByKey } from '../stats/counts.ts';
import { meanFromSum, type PocketSum, roundedShare, type Sums, sumRows } from '../stats/rollup.ts';
import { type WakingTime, wakingTime } from '../stats/waking-time.ts';

/** A day of UTC. Null: nothing to average, or nothing was said. */
export interface ChangelogEntry {
  /** 'YYYY-MM-DD' */
  date: string;
  atmosphere_readings: number;
  /** Quarter hours that should have been observed, and those that were. */
  slots_due: number;
  slots_run: number;
  /** Pockets with a reading on the day. */
  pockets_read: number;
  /** Readings that those pockets lack in the quarter hours that were observed. */
  readings_missing: number;
  narrations_surfaced: number;
  notifications_deferred: number;
  /** Quarter hours at which nothing was decided. */
  already_speaking_count: number;
  quiet_hours_count: number;
  /** Packages ÷ (packages + silences), of waking hours. */
  surfaced_ratio: number | null;
  predictions_sealed: number;
  predictions_revealed: number;
  mean_accuracy: number | null;
  /** Null where the currency is not SGD. */
  sustainability_sgd: number | null;
  sustainability_amount: number;
  currency: string;
  /** The pocket with most packages. */
  top_pocket: { pocket_id: string; count: number } | null;
  waking_time: WakingTime;
}

/** The sums of a pocket's rollup that an entry is made from. */
export const changelogSums = [
  'readings',
  'emissions',
  'silences',
  'already_speaking',
  'quiet_hours',
  'due',
  'due_score',
] as const satisfies PocketSum[];

/** What a day added up to. */
export interface ChangelogDay {
  /** Its start. */
  day: number;
  pockets: readonly ({ pocket_id: string } & Sums<(typeof changelogSums)[number]>)[];
  slots: { due: number; run: number };
  sealed: number;
  /** What was kept from being wasted, in hundredths of the currency. */
  cents: number;
  currency: string;
}

export function changelogEntry(given: ChangelogDay): ChangelogEntry {
  const { day, pockets, slots, sealed, cents, currency } = given;
  const readings = sumRows(pockets, 'readings');
  const pockets_read = pockets.filter((pocket) => pocket.readings > 0).length;
  const emissions = sumRows(pockets, 'emissions');
  const silences = sumRows(pockets, 'silences');
  const already_speaking = sumRows(pockets, 'already_speaking');
  const due = sumRows(pockets, 'due');
  const [top] = sumByKey(
    pockets,
    ({ pocket_id }) => pocket_id,
    (pocket) => pocket.emissions,
  );
  return {
    date: new Date(day).toISOString().slice(0, 10),
    atmosphere_readings: readings,
    slots_due: slots.due,
    slots_run: slots.run,
    pockets_read,
    readings_missing: Math.max(0, slots.run * pockets_read - readings),
    narrations_surfaced: emissions,
    notifications_deferred: silences,
    already_speaking_count: already_speaking,
    quiet_hours_count: sumRows(pockets, 'quiet_hours'),
    surfaced_ratio: roundedShare(emissions, emissions + silences),
    predictions_sealed: sealed,
    predictions_revealed: due,
    mean_accuracy: meanFromSum(sumRows(pockets, 'due_score'), due),
    sustainability_sgd: inSgd(currency, cents / 100),
    sustainability_amount: cents / 100,
    currency,
    top_pocket: top && top[1] > 0 ? { pocket_id: top[0], count: top[1] } : null,
    waking_time: wakingTime({ emissions, already_speaking, silences }),
  };
}
