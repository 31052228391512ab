// What the poller of live feeds works with.
import type { Pocket } from '../../domain/city/city.ts';
import type { Adapter } from '../../sources/core/adapter.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { type FeedTerms, feedTerms } from '../../sources/core/feed-terms.ts';
import type { FetchLimits } from '../../sources/core/fetch-body.ts';
import { type FetchPolicy, fetchPolicy, type PolicySettings } from '../../sources/core/fetch-policy.ts';
import { placeFinder } from '../../sources/core/place.ts';
import type { CheckContext } from '../../sources/core/quality.ts';
import { adapters } from '../../sources/live/all.ts';
import type { Store } from '../../store/engine/store.ts';

export interface FeedSettings {
  store: Store;
  feeds: readonly Feed[];
  pockets: readonly Pocket[];
  time_zone: string;
  /** Identifies this worker in leases. */
  worker: string;
  userAgent: string;
  /** Where keys come from. */
  environment: Readonly<Record<string, string | undefined>>;
  log: FeedLog;
  keep: { feed_days: number; archive_days: number; archive_bytes: number };
  /** The time by which budgets are counted; default: that of the store, which all workers share. */
  clock?: () => number | Promise<number>;
  adapters?: readonly Adapter[];
  limits?: FetchLimits;
  policy?: PolicySettings;
}

export interface FeedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A feed with everything that is needed to poll it. */
export interface PolledFeed {
  feed: Feed;
  adapter: Adapter;
  terms: FeedTerms;
  policy: FetchPolicy;
}

export interface FeedContext extends Omit<FeedSettings, 'feeds' | 'clock' | 'adapters' | 'policy'> {
  /** Those whose adapter is polled; feeds that push, or that are read from files, are not among them. */
  polled: readonly PolledFeed[];
  clock: () => number | Promise<number>;
  find: CheckContext['find'];
  /** Publishers that this process is asking now. */
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
    return adapter ? [{ feed, adapter, terms: feedTerms(feed, adapter), policy: fetchPolicy(policy) }] : [];
  });
  return {
    ...settings,
    polled,
    clock: clock ?? (() => settings.store.clock()),
    find: placeFinder(settings.pockets),
    busy: new Set(),
    pruned_at: 0,
  };
}
