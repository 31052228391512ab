// What feeds gave, as it came: appended by the poller, read by the slot's job, removed after some days.
import type { Reader, Transaction } from '../engine/store.ts';

/** A row of a feed with when it reached the service. */
export interface StoredMeasurement {
  feed: string;
  place_id: string;
  lat: number | null;
  lng: number | null;
  field: string;
  /** Not a number where `state` stands in its place. */
  value: number;
  state?: 'closed' | 'no_data';
  /** The upper end of what its values run through; absent where none is stated. */
  high?: number;
  /** Null where the feed gives no time. */
  observed_at: number | null;
  received_at: number;
  /** When a message without a time came; absent elsewhere: then it counts from its receipt. */
  arrived_at?: number;
  /** It is not used after this time; absent where the field alone says how long it stays fresh. */
  expires_at?: number;
  /** Hash of the bytes that it was read from (archive.ts); null where they were not kept. */
  body: string | null;
}

/** Of a place, field and time that is stored already the first value stays. */
export async function writeMeasurements(
  tx: Transaction,
  measurements: readonly StoredMeasurement[],
): Promise<void> {
  await tx.insert(
    'measurements',
    // Columns in one order for all rows, as inserts need it, however each row was made.
    measurements.map((row) => ({
      feed: row.feed,
      place_id: row.place_id,
      field: row.field,
      value: row.state === undefined ? row.value : null,
      state: row.state ?? null,
      high: row.high ?? null,
      lat: row.lat,
      lng: row.lng,
      observed_at: row.observed_at ?? row.arrived_at ?? row.received_at,
      timed: row.observed_at === null ? 0 : 1,
      received_at: row.received_at,
      expires_at: row.expires_at ?? null,
      body: row.body,
    })),
    'on conflict (feed, place_id, field, observed_at) do nothing',
  );
}

interface MeasurementRow extends Omit<StoredMeasurement, 'value' | 'state' | 'high' | 'expires_at'> {
  value: number | null;
  state: 'closed' | 'no_data' | null;
  high: number | null;
  timed: number;
  expires_at: number | null;
}

/**
 * What had been received by `until` and not longer than `lookback` before, the oldest observation first. What arrives
 * later does not change it, so that a slot can be computed again from what it saw.
 */
export async function measurementsReceived(
  store: Reader,
  until: number,
  lookback: number,
): Promise<StoredMeasurement[]> {
  const rows = await store.all<MeasurementRow>(
    `select feed, place_id, lat, lng, field, value, state, high, observed_at, received_at, expires_at, body, timed from measurements
     where received_at > ? and received_at <= ? order by observed_at, received_at, feed, place_id, field`,
    until - lookback,
    until,
  );
  // Named one by one: copying the rest of a row takes longer than reading it, and a slot reads very many.
  return rows.map((row) => ({
    feed: row.feed,
    place_id: row.place_id,
    lat: row.lat,
    lng: row.lng,
    field: row.field,
    value: row.value ?? Number.NaN,
    observed_at: row.timed ? row.observed_at : null,
    received_at: row.received_at,
    body: row.body,
    ...(row.state !== null && { state: row.state }),
    ...(row.high !== null && { high: row.high }),
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
  }));
}

export const pruneMeasurements = (tx: Transaction, before: number): Promise<void> =>
  tx.run('delete from measurements where received_at < ?', before);
