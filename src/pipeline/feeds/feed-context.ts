// What reading live feeds works with: polling them, and listening to those that send by themselves.
import type { Pocket } from '../../domain/city/city.ts';
import type { Adapter } from '../../sources/core/adapter.ts';
import type { Feed } from '../../sources/core/feed.ts';
import type { FeedKeys } from '../../sources/core/feed-keys.ts';
import { type FeedTerms, feedTerms } from '../../sources/core/feed-terms.ts';
import type { FetchLimits } from '../../sources/core/fetch-body.ts';
import { type FetchPolicy, fetchPolicy, type PolicySettings } from '../../sources/core/fetch-policy.ts';
import { placeFinder } from '../../sources/core/place.ts';
import type { CheckContext } from '../../sources/core/quality.ts';
import type { FeedReading } from '../../sources/core/read-feed.ts';
import { adapters } from '../../sources/live/all.ts';
import { filesAdapter, isForReplays } from '../../sources/live/files.ts';
import { mqttAdapter } from '../../sources/live/mqtt.ts';
import { type Store, storeFaults, type Transaction } from '../../store/engine/store.ts';
import type { ArchivedBody } from '../../store/feeds/archive.ts';
import type { FeedState } from '../../store/feeds/feed-states.ts';

export interface FeedSettings {
  store: Store;
  feeds: readonly Feed[];
  pockets: readonly Pocket[];
  time_zone: string;
  /** Identifies this worker in leases. */
  worker: string;
  userAgent: string;
  keys: FeedKeys;
  log: FeedLog;
  keep: { feed_days: number; archive_days: number; archive_bytes: number };
  /** The time by which budgets are counted; default: that of the store, which all workers share. */
  clock?: () => number | Promise<number>;
  adapters?: readonly Adapter[];
  limits?: FetchLimits;
  policy?: PolicySettings;
  listening?: Partial<ListenSettings>;
}

/** How feeds that send by themselves are listened to; in milliseconds. */
export interface ListenSettings {
  /** Messages are stored this often, or when a batch is full. */
  batch: number;
  /** A worker that dies holds the feed for so long. */
  lease: number;
  /** How often a worker asks for the lease of a feed that another listens to. */
  retry: number;
  /** How long a feed rests whose settings cannot work, such as an address that may not be asked. */
  rest: number;
  /** Longest wait before the broker is tried again. */
  reconnect: number;
}

export interface FeedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The jobs of the slot meet a full disk too, and it is told once for all that is written. */
export const isToldElsewhere = (fault: string): boolean => fault === storeFaults.full;

/** A feed with everything that is needed to poll it. */
export interface PolledFeed {
  feed: Feed;
  terms: FeedTerms;
  /** Null for a folder of files, which is read without requests. */
  http: HttpFeed | null;
}

export interface HttpFeed {
  adapter: Adapter;
  policy: FetchPolicy;
}

/** Everything that one poll has gathered, before it is stored. */
export interface Gathered {
  reading: FeedReading;
  bodies: (ArchivedBody | null)[];
  validators: FeedState['validators'];
  /** What else belongs into the transaction that stores it. */
  alongside?: (tx: Transaction) => Promise<void>;
}

export interface FeedContext extends Omit<FeedSettings, 'feeds' | 'clock' | 'adapters' | 'policy'> {
  /** Those that are asked over HTTP or read from a folder. */
  polled: readonly PolledFeed[];
  /** Those that send by themselves. */
  listened: readonly Feed[];
  clock: () => number | Promise<number>;
  find: CheckContext['find'];
  /** Publishers that this process is asking now, and folders that it is reading. */
  busy: Set<string>;
  /** When old rows were last removed. */
  pruned_at: number;
}

export function feedContext({
  feeds,
  clock,
  adapters: list = adapters,
  policy,
  ...settings
}: FeedSettings): FeedContext {
  const polled = feeds.flatMap((feed): PolledFeed[] => {
    const adapter = list.find(({ name }) => name === feed.adapter);
    if (adapter)
      return [{ feed, terms: feedTerms(feed, adapter), http: { adapter, policy: fetchPolicy(policy) } }];
    const isFolder = feed.adapter === filesAdapter.name && !isForReplays(feed);
    return isFolder ? [{ feed, terms: feedTerms(feed, filesAdapter), http: null }] : [];
  });
  return {
    ...settings,
    polled,
    listened: feeds.filter(({ adapter }) => adapter === mqttAdapter.name),
    clock: clock ?? (() => settings.store.clock()),
    find: placeFinder(settings.pockets),
    busy: new Set(),
    pruned_at: 0,
  };
}
