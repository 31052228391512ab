// What is remembered of each sensor of a feed, to recognise one that is stuck and to tell what a 0 means.
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

export const sensorRuns = (store: Reader, feed: string): Promise<SensorRunRow[]> =>
  store.all(
    'select feed, place_id, field, value, since, until, longest_ms, first_seen, largest, shown, capacity, zero from sensor_runs where feed = ?',
    feed,
  );

export const writeSensorRuns = (tx: Transaction, rows: readonly SensorRunRow[]): Promise<void> =>
  tx.insert(
    'sensor_runs',
    rows,
    `on conflict (feed, place_id, field) do update set value = excluded.value, since = excluded.since,
     until = excluded.until, longest_ms = excluded.longest_ms, largest = excluded.largest, shown = excluded.shown,
     capacity = excluded.capacity, zero = excluded.zero`,
  );

/** Sensors that have not reported for so long are forgotten, so that ids which come and go do not pile up. */
export const pruneSensorRuns = (tx: Transaction, before: number): Promise<void> =>
  tx.run('delete from sensor_runs where until < ?', before);
