import type { Reading } from '../../domain/atmosphere/reading.ts';
import { HOUR } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { thousandthColumns } from '../engine/thousandths.ts';
import { byDay, endAndDay, untilDay, windowAndDays, withinDays } from '../rows/day-index.ts';
import { stateNumbers } from '../rows/word-numbers.ts';

interface ReadingRow extends Omit<Reading, 'anomaly_flag'> {
  anomaly_flag: number;
}

const columns =
  'pocket_id, slot, stress, calm, social_energy, productive, primary_state, anomaly_flag, completeness';

export function writeReadings(tx: Transaction, readings: readonly Reading[]): Promise<void> {
  return tx.insert(
    'reading_figures',
    readings.map(({ slot, pocket_id, primary_state, anomaly_flag, ...figures }) => ({
      slot,
      pocket_id,
      state: stateNumbers[primary_state],
      anomaly_flag: anomaly_flag ? 1 : 0,
      ...thousandthColumns(figures),
    })),
  );
}

/** The readings of a pocket in the window (after, until], oldest first. */
export async function readingsBetween(
  store: Reader,
  pocket: string,
  after: number,
  until: number,
): Promise<Reading[]> {
  const rows = await store.all<ReadingRow>(
    `select ${columns} from atmosphere_readings where pocket_id = ? and ${withinDays('slot')} order by slot`,
    pocket,
    ...windowAndDays({ after, until }),
  );
  return rows.map(fromRow);
}

const fromRow = (row: ReadingRow): Reading => ({
  pocket_id: row.pocket_id,
  slot: row.slot,
  stress: row.stress,
  calm: row.calm,
  social_energy: row.social_energy,
  productive: row.productive,
  primary_state: row.primary_state,
  anomaly_flag: row.anomaly_flag === 1,
  completeness: row.completeness,
});

/** The mean calm of all pockets at a slot; null without a reading. Of whole numbers, so that it is the same in any order. */
export async function meanCalmAt(store: Reader, slot: number): Promise<number | null> {
  const row = await store.get<{ calm: number | null; readings: number }>(
    'select sum(calm_milli) as calm, count(*) as readings from reading_figures where slot = ?',
    slot,
  );
  return row?.readings ? Number(row.calm) / 1000 / row.readings : null;
}

/** The pockets that have a reading in the window (after, until]. */
export async function pocketsReadWithin(store: Reader, after: number, until: number): Promise<string[]> {
  const rows = await store.all<{ pocket_id: string }>(
    'select distinct pocket_id from atmosphere_readings where slot > ? and slot <= ?',
    after,
    until,
  );
  return rows.map((row) => row.pocket_id);
}

/** How many readings all pockets together had in the last hour. */
export async function countReadingsInLastHour(store: Reader, now: number): Promise<number> {
  const row = await store.get<{ count: number }>(
    'select count(*) as count from atmosphere_readings where slot > ? and slot <= ?',
    now - HOUR,
    now,
  );
  return row?.count ?? 0;
}

/** The slot of the pocket's first reading up to `until`; null if there is none. */
export const firstReading = async (store: Reader, pocket: string, until: number): Promise<number | null> =>
  (
    await store.get<{ slot: number | null }>(
      `select slot from atmosphere_readings where pocket_id = ? and ${untilDay('slot')} order by ${byDay('asc')} limit 1`,
      pocket,
      ...endAndDay(until),
    )
  )?.slot ?? null;

/** The slot of the store's first reading, of any pocket; null if there is none. */
export const firstStoredReading = async (store: Reader): Promise<number | null> =>
  (await store.get<{ slot: number | null }>('select min(slot) as slot from atmosphere_readings'))?.slot ??
  null;

/** The slot of the pocket's newest reading up to `until`; null if there is none. */
export const newestReading = async (store: Reader, pocket: string, until: number): Promise<number | null> =>
  (
    await store.get<{ slot: number | null }>(
      `select slot from atmosphere_readings where pocket_id = ? and ${untilDay('slot')} order by ${byDay('desc')} limit 1`,
      pocket,
      ...endAndDay(until),
    )
  )?.slot ?? null;

/** The slot of the newest reading of any pocket up to `until`; null if there is none. */
export const newestSlot = async (store: Reader, until: number): Promise<number | null> =>
  (
    await store.get<{ slot: number | null }>(
      'select max(slot) as slot from atmosphere_readings where slot <= ?',
      until,
    )
  )?.slot ?? null;
