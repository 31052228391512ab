// The requests that a publisher allows, shared by all workers of a database. Each request is counted before it is sent,
// under a lock on the publisher's row; any span of the window's length, not only an aligned one, stays within the limit.
import type { Reader, Store, Transaction } from '../engine/store.ts';

export interface RequestLimit {
  requests: number;
  seconds: number;
}

/** Requests may reach the publisher later than they were counted, each by another delay. */
const MARGIN_MS = 1_000;
/** How long requests to a publisher without a stated limit are remembered, to show how many there were. */
const UNLIMITED_WINDOW_MS = 60 * 60_000;

/** Whether the request may be sent, and is counted; else when to ask again, null if never. */
export type Admission = { admitted: true } | { admitted: false; retry_at: number | null };

const budgetWindow = (limit: RequestLimit | null): number =>
  limit ? limit.seconds * 1000 + MARGIN_MS : UNLIMITED_WINDOW_MS;

/** Counts a request that costs `cost` if the publisher's limit has room for it. */
export function takeBudget(
  store: Store,
  publisher: string,
  limit: RequestLimit | null,
  cost: number,
  now: number,
): Promise<Admission> {
  return store.transaction(async (tx): Promise<Admission> => {
    const { paused_until, window_ms } = await lockPublisher(tx, publisher, budgetWindow(limit));
    if (paused_until > now) return { admitted: false, retry_at: paused_until };
    await tx.run(
      'delete from publisher_requests where publisher = ? and at <= ?',
      publisher,
      now - window_ms,
    );
    if (limit && cost > limit.requests) return { admitted: false, retry_at: null };
    if (limit) {
      const taken = await tx.all<{ at: number; cost: number }>(
        'select at, cost from publisher_requests where publisher = ? and at > ? order by at',
        publisher,
        now - budgetWindow(limit),
      );
      const retry_at = roomAt(taken, limit, cost);
      if (retry_at > now) return { admitted: false, retry_at };
    }
    await tx.insert('publisher_requests', [{ publisher, at: now, cost }]);
    return { admitted: true };
  }, 'feeds');
}

/** When enough of the counted requests have left the window; 0 where there is room already. */
function roomAt(taken: readonly { at: number; cost: number }[], limit: RequestLimit, cost: number): number {
  let used = taken.reduce((sum, request) => sum + request.cost, 0);
  let at = 0;
  for (const request of taken) {
    if (used + cost <= limit.requests) break;
    used -= request.cost;
    at = request.at + budgetWindow(limit);
  }
  return at;
}

interface PublisherRow {
  paused_until: number;
  /** The longest window of its feeds, which may state different limits. */
  window_ms: number;
}

/** Takes the lock of a publisher. */
async function lockPublisher(tx: Transaction, publisher: string, window_ms: number): Promise<PublisherRow> {
  await tx.insert(
    'publisher_budgets',
    [{ publisher, acquired: 1, window_ms, paused_until: 0 }],
    `on conflict (publisher) do update set acquired = publisher_budgets.acquired + 1, window_ms =
     case when excluded.window_ms > publisher_budgets.window_ms
     then excluded.window_ms else publisher_budgets.window_ms end`,
  );
  const row = await tx.get<PublisherRow>(
    'select paused_until, window_ms from publisher_budgets where publisher = ?',
    publisher,
  );
  return row ?? { paused_until: 0, window_ms };
}

/** No worker asks the publisher before `until`: it has answered 429. */
export function pausePublisher(store: Store, publisher: string, until: number): Promise<void> {
  return store.transaction(async (tx) => {
    await lockPublisher(tx, publisher, 0);
    await tx.run(
      'update publisher_budgets set paused_until = ? where publisher = ? and paused_until < ?',
      until,
      publisher,
      until,
    );
  }, 'feeds');
}

/** How much of its limit each publisher has used within its window, for the health of its feeds. */
export async function budgetUsed(
  store: Reader,
  publisher: string,
  limit: RequestLimit | null,
  now: number,
): Promise<number> {
  const row = await store.get<{ used: number | null }>(
    'select sum(cost) as used from publisher_requests where publisher = ? and at > ?',
    publisher,
    now - budgetWindow(limit),
  );
  return row?.used ?? 0;
}
