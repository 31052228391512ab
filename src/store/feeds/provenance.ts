// From a signal of a slot back to the rows and bytes that it was made from, as long as those are kept.
import type { Reader } from '../engine/store.ts';

export interface SensorField {
  feed: string;
  place_id: string;
  field: string;
}

export interface TracedMeasurement extends SensorField {
  /** Null where the feed gives no time. */
  observed_at: number | null;
  received_at: number;
  /** Hash of the bytes that it was read from; null where they were not kept. */
  body: string | null;
  /** Of the body in bytes; null where it is no longer kept. */
  raw_size: number | null;
}

/** The newest rows of one field of a place that had been received by `slot`, newest first. */
export async function measurementsBefore(
  store: Reader,
  { feed, place_id, field }: SensorField,
  slot: number,
  limit: number,
): Promise<TracedMeasurement[]> {
  const rows = await store.all<TracedMeasurement & { timed: number }>(
    `select m.feed, m.place_id, m.field, m.observed_at, m.timed, m.received_at, m.body, b.raw_size
     from measurements m left join feed_bodies b on b.feed = m.feed and b.hash = m.body
     where m.feed = ? and m.place_id = ? and m.field = ? and m.observed_at <= ? and m.received_at <= ?
       and (m.expires_at is null or m.expires_at >= ?) and (m.state is null or m.state <> 'no_data')
     order by m.observed_at desc limit ?`,
    feed,
    place_id,
    field,
    slot,
    slot,
    slot,
    limit,
  );
  return rows.map(({ timed, observed_at, ...row }) => ({ ...row, observed_at: timed ? observed_at : null }));
}

/** Larger bodies are named by their hash alone: replies to slow clients stay in memory. */
export const MAX_SERVED_BYTES = 8 * 1024 * 1024;

/** The feed, of those given, that a body was received from; undefined where none has it any more, or it is too large. */
export async function feedOfBody(
  store: Reader,
  feeds: readonly string[],
  hash: string,
): Promise<string | undefined> {
  if (feeds.length === 0) return undefined;
  const row = await store.get<{ feed: string }>(
    `select feed from feed_bodies where feed in (${feeds.map(() => '?').join(', ')}) and hash = ?
     and raw_size <= ? limit 1`,
    ...feeds,
    hash,
    MAX_SERVED_BYTES,
  );
  return row?.feed;
}
