// The state of each feed: when it is due, which worker polls it, and its health.
import type { Reader, Store, Transaction } from '../engine/store.ts';

export interface FeedState {
  feed: string;
  next_due: number;
  last_attempt: number | null;
  last_success: number | null;
  /** Safe to show: no address, key or text of a body. Null while the feed is well. */
  last_error: string | null;
  /** Polls that failed in a row. */
  failures: number;
  breaker: 'closed' | 'open' | 'half-open';
  /** The newest time that the feed has stated. */
  newest_observed: number | null;
  /** Of the last poll that read anything. */
  rows_kept: number;
  places: number;
  pockets: string[];
  faults: Record<string, number>;
  faults_total: Record<string, number>;
  /** By the hash of the request's address. */
  validators: Record<string, { etag?: string; last_modified?: string }>;
}

type StateRow = Omit<FeedState, JsonColumn> & Record<JsonColumn, string>;
type JsonColumn = 'pockets' | 'faults' | 'faults_total' | 'validators';
const columns =
  'feed, next_due, last_attempt, last_success, last_error, failures, breaker, newest_observed, rows_kept, places, pockets, faults, faults_total, validators';

const emptyState = (feed: string): FeedState => ({
  feed,
  next_due: 0,
  last_attempt: null,
  last_success: null,
  last_error: null,
  failures: 0,
  breaker: 'closed',
  newest_observed: null,
  rows_kept: 0,
  places: 0,
  pockets: [],
  faults: {},
  faults_total: {},
  validators: {},
});

const toRow = (state: FeedState): StateRow => ({
  ...state,
  pockets: JSON.stringify(state.pockets),
  faults: JSON.stringify(state.faults),
  faults_total: JSON.stringify(state.faults_total),
  validators: JSON.stringify(state.validators),
});

const fromRow = (row: StateRow): FeedState => ({
  ...row,
  pockets: JSON.parse(row.pockets),
  faults: JSON.parse(row.faults),
  faults_total: JSON.parse(row.faults_total),
  validators: JSON.parse(row.validators),
});

export async function feedStates(store: Reader): Promise<FeedState[]> {
  return (await store.all<StateRow>(`select ${columns} from feed_states order by feed`)).map(fromRow);
}

/** When each feed is due, and until when another poll has it. */
export async function dueTimes(store: Reader): Promise<Map<string, number>> {
  const rows = await store.all<{ feed: string; next_due: number; lease_until: number }>(
    'select feed, next_due, lease_until from feed_states',
  );
  return new Map(rows.map(({ feed, next_due, lease_until }) => [feed, Math.max(next_due, lease_until)]));
}

/**
 * Takes the lease of a feed that is due: of several workers one gets it. A worker that dies holds it until it ends.
 * Returns null when another has it, or has polled the feed meanwhile.
 */
export function leaseFeed(
  store: Store,
  feed: string,
  lease: string,
  now: number,
  lease_until: number,
): Promise<FeedState | null> {
  return store.transaction(async (tx) => {
    const row = { ...toRow(emptyState(feed)), lease: null, lease_until: 0 };
    await tx.insert('feed_states', [row], 'on conflict (feed) do nothing');
    await tx.run(
      'update feed_states set lease = ?, lease_until = ? where feed = ? and lease_until <= ? and next_due <= ?',
      lease,
      lease_until,
      feed,
      now,
      now,
    );
    const taken = await tx.get<StateRow>(
      `select ${columns} from feed_states where feed = ? and lease = ?`,
      feed,
      lease,
    );
    return taken ? fromRow(taken) : null;
  }, 'feeds');
}

/** Holds the lease for longer; false when it had ended and another worker has taken it. */
export function renewLease(store: Store, feed: string, lease: string, lease_until: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    await tx.run(
      'update feed_states set lease_until = ? where feed = ? and lease = ?',
      lease_until,
      feed,
      lease,
    );
    return isHeld(tx, feed, lease);
  }, 'feeds');
}

const isHeld = async (tx: Transaction, feed: string, lease: string): Promise<boolean> =>
  (await tx.get('select feed from feed_states where feed = ? and lease = ?', feed, lease)) !== undefined;

/**
 * Stores the state after a poll and gives the lease back, or holds it until `lease_until`; false when the lease had
 * ended and another may have polled.
 */
export async function writeFeedState(
  tx: Transaction,
  state: FeedState,
  lease: string,
  lease_until = 0,
): Promise<boolean> {
  const { feed, ...row } = toRow(state);
  if (!(await isHeld(tx, feed, lease))) return false;
  const names = Object.keys(row);
  await tx.run(
    `update feed_states set ${names.map((name) => `${name} = ?`).join(', ')}, lease = ?, lease_until = ?
     where feed = ? and lease = ?`,
    ...Object.values(row),
    lease_until > 0 ? lease : null,
    lease_until,
    feed,
    lease,
  );
  return true;
}
