// The one kind of cache of this service: values that were computed from the store, for as long as the data version is
// the same. The operation runner caches answers (keyed by operation and input), reply-cache.ts HTTP replies (keyed by
// URL), each in a pair: values that read the log are dropped with every submission, all others are not.
import type { Question } from '../../operations/core/define.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import type { DataVersion } from './data-version.ts';

/** How often a value was found, and how often it had to be computed. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

export interface VersionedCache<T> {
  /** The current data version, to be read before computing a value for `set`. */
  version(): string;
  get(key: string): T | undefined;
  /** Stores a value, unless the data has changed since `version` was read. */
  set(key: string, version: string, value: T): void;
  /**
   * The cached value, or else the result of `compute`. Concurrent calls with the same key share one computation; a
   * failed computation is not cached.
   */
  getOrCompute(key: string, compute: () => Promise<T>): MaybePromise<T>;
  /** Of `getOrCompute`. */
  readonly counts: Readonly<CacheCounts>;
}

export interface CachePair<T> {
  /** Where values are cached that do, or do not, read the log. */
  of(question: Pick<Question, 'readsLog'>): VersionedCache<T>;
  both: readonly [data: VersionedCache<T>, log: VersionedCache<T>];
}

/** The part of the space that is for values which read the log: few addresses have them. */
const LOG_SHARE = 0.25;

export function createCachePair<T>(
  dataVersion: Pick<DataVersion, 'version' | 'logVersion'>,
  now: () => number,
  measureSize: (value: T) => number,
  maxSize: number,
): CachePair<T> {
  const [data, log] = [
    createVersionedCache(dataVersion.version, now, measureSize, maxSize * (1 - LOG_SHARE)),
    createVersionedCache(dataVersion.logVersion, now, measureSize, maxSize * LOG_SHARE),
  ];
  return { of: ({ readsLog }) => (readsLog ? log : data), both: [data, log] };
}

/**
 * Past `maxSize` (by `measureSize`, plus the length of the keys) the oldest entries are evicted first. A value that is larger
 * by itself is not cached.
 */
export function createVersionedCache<T>(
  currentVersion: DataVersion['version'],
  now: () => number,
  measureSize: (value: T) => number,
  maxSize: number,
): VersionedCache<T> {
  const entries = new Map<string, T>();
  const pending = new Map<string, Promise<T>>();
  const counts: CacheCounts = { hits: 0, misses: 0 };
  let current = '';
  let size = 0;

  const version = () => {
    const latest = currentVersion(now());
    if (latest !== current) {
      entries.clear();
      pending.clear();
      current = latest;
      size = 0;
    }
    return latest;
  };
  const remove = (key: string, value: T) => {
    entries.delete(key);
    size -= key.length + measureSize(value);
  };
  const set = (key: string, computedFrom: string, value: T) => {
    const entrySize = key.length + measureSize(value);
    if (computedFrom !== version() || entrySize > maxSize) return;
    const replaced = entries.get(key);
    if (replaced !== undefined) remove(key, replaced);
    entries.set(key, value);
    size += entrySize;
    for (const [oldest, oldestValue] of entries) {
      if (size <= maxSize) break;
      remove(oldest, oldestValue);
    }
  };
  return {
    version,
    get: (key) => {
      version();
      return entries.get(key);
    },
    set,
    counts,
    getOrCompute: (key, compute) => {
      const computedFrom = version();
      const known = entries.get(key) ?? pending.get(key);
      if (known !== undefined) {
        counts.hits += 1;
        return known;
      }
      counts.misses += 1;
      const computing = Promise.try(compute)
        .then((value) => {
          set(key, computedFrom, value);
          return value;
        })
        .finally(() => {
          // After a change of version the pending entry, if there is one, is that of a newer computation.
          if (pending.get(key) === computing) pending.delete(key);
        });
      pending.set(key, computing);
      return computing;
    },
  };
}
