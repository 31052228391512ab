// What is remembered of each sensor of a feed, to recognise one that is stuck and to tell what a 0 means.
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

export interface SensorRunRow {
  feed: string;
  place_id: string;
  field: string;
  value: number;
  since: number;
  until: number;
  longest_ms: number;
  first_seen: number;
  largest: number;
  shown: number | null;
  capacity: number | null;
  zero: 'value' | 'no_data' | null;
}

/** What is remembered of the sensors of these places. */
export async function sensorRuns(
  store: Reader,
  feed: string,
  places: readonly string[],
): Promise<SensorRunRow[]> {
  const found: SensorRunRow[][] = [];
  for (const chunk of inClauseChunks(places))
    found.push(
      await store.all<SensorRunRow>(
        `select feed, place_id, field, value, since, until, longest_ms, first_seen, largest, shown, capacity, zero
         from sensor_runs where feed = ? and place_id in (${inClause(chunk)})`,
        feed,
        ...chunk,
      ),
    );
  return found.flat();
}

export const writeSensorRuns = (tx: Transaction, rows: readonly SensorRunRow[]): Promise<void> =>
  tx.insert(
    'sensor_runs',
    // Columns in one order for all rows, as inserts need it: a run that was read and one that is new are made differently.
    rows.map((row) => ({
      feed: row.feed,
      place_id: row.place_id,
      field: row.field,
      value: row.value,
      since: row.since,
      until: row.until,
      longest_ms: row.longest_ms,
      first_seen: row.first_seen,
      largest: row.largest,
      shown: row.shown,
      capacity: row.capacity,
      zero: row.zero,
    })),
    `on conflict (feed, place_id, field) do update set value = excluded.value, since = excluded.since,
     until = excluded.until, longest_ms = excluded.longest_ms, largest = excluded.largest, shown = excluded.shown,
     capacity = excluded.capacity, zero = excluded.zero`,
  );
