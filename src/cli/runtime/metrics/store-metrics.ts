// The metrics that are read from the store when they are asked for, and those of what this process knows about it.
import { setTimeout as delay } from 'node:timers/promises';
import { isFeedFresh } from '../../../domain/city/city-feed.ts';
import { DAY, SLOT } from '../../../domain/time/slot.ts';
import type { AppContext } from '../../../http/answers/app-context.ts';
import { byLabel, type Metrics } from '../../../metrics/metrics.ts';
import type { Sample } from '../../../metrics/text.ts';
import type { StatusProvider } from '../../../operations/core/define.ts';
import { type FeedState, feedStates } from '../../../store/feeds/feed-states.ts';
import { ledgerSize } from '../../../store/ledger/ledger-reads.ts';
import { type StoreSize, storeSize } from '../../../store/runtime/store-size.ts';

/** However often the metrics are asked for, the store is asked no more often than this. */
const KEPT_MS = 10_000;
/** So long the metrics wait for the store; what has not come by then has no sample. */
const LONGEST_WAIT_MS = 2_000;

interface Stored {
  size?: StoreSize | undefined;
  entries?: number | undefined;
  feeds?: FeedState[] | undefined;
}

type Context = Pick<AppContext, 'store' | 'dataVersion' | 'now' | 'registry' | 'substrate' | 'status'>;

/** Adds the metrics of a store that is configured; the returned function reads it, and is called before the metrics are. */
export function addStoreMetrics(metrics: Metrics, context: Context, dataDir: string): () => Promise<void> {
  const { store, dataVersion, status } = context;
  let stored: Stored = {};
  let reading: Promise<void> | undefined;
  const read = async () => {
    const isLive = context.substrate === 'live' && context.registry.feeds !== undefined;
    const [size, entries, feeds] = await Promise.all([
      known(storeSize(store, dataDir)),
      known(ledgerSize(store)),
      isLive ? known(feedStates(store)) : undefined,
    ]);
    stored = { size, entries, feeds };
    setTimeout(() => {
      reading = undefined;
    }, KEPT_MS).unref();
  };

  metrics.gauge('pocketwatch_store_up', 'Whether the store can be reached.', () =>
    Number(dataVersion.unreachableSince() === null),
  );
  metrics.gauge(
    'pocketwatch_store_damaged',
    'Whether the file of the embedded store is damaged: then nothing is written.',
    () => status && Number(status.storeDamage() !== undefined),
  );
  metrics.gauge(
    'pocketwatch_store_full',
    'Whether the disk of the store is full: then nothing is written.',
    () => status && Number(status.fullSince() !== undefined),
  );
  if (status?.replica?.()) addReplicaMetrics(metrics, status.replica);
  metrics.gauge('pocketwatch_store_size_bytes', 'Size of the store on disk.', () =>
    byLabel('part', stored.size?.parts ?? {}),
  );
  metrics.gauge(
    'pocketwatch_store_disk_free_bytes',
    'Space that is left on the disk of the embedded store.',
    () => stored.size?.free,
  );
  metrics.readCounter(
    'pocketwatch_log_entries_total',
    'Rows that are sealed in the log, which is its size.',
    () => stored.entries,
  );
  metrics.gauge('pocketwatch_lag_seconds', 'How long the reading after the newest one has been due.', () =>
    currentLag(context),
  );
  addHistoryMetrics(metrics, context);
  addFeedMetrics(metrics, context, () => stored.feeds);
  return async () => {
    reading ??= read();
    const inTime = await Promise.race([
      reading.then(() => true),
      delay(LONGEST_WAIT_MS, false, { ref: false }),
    ]);
    if (!inTime) stored = {};
  };
}

/** Unknown before the first reading, while the first history is written and while the store is away. */
function currentLag({ dataVersion, now }: Context): number | undefined {
  const newest = dataVersion.newestReading();
  if (newest === null || !dataVersion.history().finished || dataVersion.unreachableSince() !== null) return;
  return Math.max(0, now() - newest - SLOT) / 1000;
}

function addReplicaMetrics(metrics: Metrics, state: NonNullable<StatusProvider['replica']>): void {
  metrics.gauge(
    'pocketwatch_replica_lag_seconds',
    'How long ago the replica was last known to have all that the primary has.',
    () => {
      const lag = state()?.lagMs;
      return lag == null ? undefined : lag / 1000;
    },
  );
  metrics.gauge('pocketwatch_replica_used', 'Whether answers come from the replica.', () =>
    Number(state()?.used),
  );
  metrics.gauge('pocketwatch_replica_up', 'Whether the replica can be reached.', () =>
    Number(state()?.reachable),
  );
  metrics.gauge(
    'pocketwatch_primary_up',
    'Whether the primary can be reached: without it nothing is written.',
    () => Number(!state()?.primaryAway),
  );
}

function addHistoryMetrics(metrics: Metrics, { dataVersion }: Context): void {
  const length = (of: 'done' | 'total') => () => {
    const history = dataVersion.history();
    // Before it is begun, nobody knows how long it will be; one that is complete may be empty.
    return history.total || history.finished ? (history[of] * DAY) / 1000 : undefined;
  };
  metrics.gauge('pocketwatch_history_finished', 'Whether the first history is complete.', () =>
    Number(dataVersion.history().finished),
  );
  metrics.gauge(
    'pocketwatch_history_length_seconds',
    'The time that the first history covers.',
    length('total'),
  );
  metrics.gauge('pocketwatch_history_written_seconds', 'How much of it is written.', length('done'));
}

function addFeedMetrics(metrics: Metrics, context: Context, states: () => FeedState[] | undefined): void {
  const ofFeeds = (sample: (feed: string, state: FeedState | undefined) => Sample | undefined) => () => {
    const byFeed = new Map(states()?.map((state) => [state.feed, state]));
    const feeds = states() ? (context.registry.feeds ?? []) : [];
    return feeds.flatMap(({ id }) => sample(id, byFeed.get(id)) ?? []);
  };
  metrics.gauge(
    'pocketwatch_feed_state',
    'The state of each feed: fresh, stale (read before, but not lately) or unread.',
    ofFeeds((feed, times) => {
      const described = context.registry.feeds?.find(({ id }) => id === feed);
      const isFresh = described && isFeedFresh(described, times, context.now());
      const state = isFresh ? 'fresh' : times?.last_success == null ? 'unread' : 'stale';
      return { labels: { feed, state }, value: 1 };
    }),
  );
  metrics.gauge(
    'pocketwatch_feed_newest_measurement_age_seconds',
    'Time since the newest measurement of each feed, by its own account.',
    ofFeeds((feed, times) =>
      times?.newest_observed == null
        ? undefined
        : { labels: { feed }, value: Math.max(0, context.now() - times.newest_observed) / 1000 },
    ),
  );
}

/** Undefined for what the store could not tell. */
const known = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);
