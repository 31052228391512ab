import type { PlaceState } from './feed.ts';

/** One value that a feed gave for one of its places, in the feed's own unit. Replay files hold the same, a row each. */
export interface Measurement {
  /** Id of the feed in `sources.json`. */
  feed: string;
  /** The feed's own id of the station, counter or car park. */
  place_id: string;
  /** Null where the feed gives no position; `sources.json` may then place it. */
  lat: number | null;
  lng: number | null;
  /** The feed's own name of the value; `sources.json` says what it measures. */
  field: string;
  /** Not a number where `state` stands in its place. */
  value: number;
  /** What the place says of itself in the place of a number; once the row was judged, `closed` or `no_data`. */
  state?: PlaceState;
  /** The upper end of what its values run through, where one is stated: not below the largest that was shown. */
  high?: number;
  /** Epoch milliseconds as the feed states it; null where it gives no time (then it counts from its receipt). */
  observed_at: number | null;
  /** When a message without a time came: tells several values of one receipt apart. */
  arrived_at?: number;
  /** A value without a time is not used after this, however long its field stays fresh. */
  expires_at?: number;
}

/** Why a row of a feed was not used. Each is counted in the health of its feed. */
export const rowFaults = [
  /** A value that the publisher defines as absent: blank, NA, -999, a zero that means closed. */
  'no_data',
  /** A zero or "full" that the values before it do not explain: full, empty, closed or out of order. */
  'zero_unknown',
  /** Not a number, or outside what the field can be. */
  'bad_value',
  /** Beyond the stated range or capacity: it is used, and the range taken to be wider than stated. */
  'over_capacity',
  /** No time, or one that is not a time. */
  'bad_time',
  /** Observed later than it was received. */
  'future',
  /** Older than the field stays fresh. */
  'stale',
  /** The same value for longer than this sensor ever held it. */
  'frozen',
  /** Another row of the same place, field and time. */
  'duplicate',
  /** No position, or one that is impossible; swapped coordinates are put right and counted as well. */
  'bad_position',
  /** A message that came faster than messages could be stored, or was too large. */
  'dropped',
  /** Of a new place, where the feed, or its nearest pocket, has as many as are kept (place-limits.ts). */
  'too_many_places',
  /** Beyond the rows that one poll keeps, or that it keeps of one sensor. */
  'too_many_rows',
] as const;
export type RowFault = (typeof rowFaults)[number];

export type FaultCounts = Partial<Record<RowFault, number>>;

export function countFault(faults: FaultCounts, fault: RowFault, count = 1): void {
  faults[fault] = (faults[fault] ?? 0) + count;
}

export function addFaults(faults: FaultCounts, more: FaultCounts): void {
  for (const [fault, count] of Object.entries(more)) countFault(faults, fault as RowFault, count);
}
