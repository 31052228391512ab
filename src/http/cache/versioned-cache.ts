import type { DataVersion } from './data-version.ts';

/** What was made from the data as it is, by the words in which it was asked for: gone when the data changes. */
export interface VersionedCache<T> {
  /** Of the data as it is now: taken before an answer is made. */
  version(): string;
  find(words: string): T | undefined;
  /** From now on the words find this, unless the data is no longer the one it was made from. */
  keep(words: string, version: string, made: T): void;
}

/** Holds about `most` bytes, then begins anew. */
export function createVersionedCache<T>(
  dataVersion: Pick<DataVersion, 'version'>,
  now: () => number,
  sizeOf: (made: T) => number,
  most: number,
): VersionedCache<T> {
  const shelf = new Map<string, T>();
  let current = '';
  let size = 0;
  const begin = (version: string) => {
    shelf.clear();
    current = version;
    size = 0;
  };
  const version = () => {
    const latest = dataVersion.version(now());
    if (latest !== current) begin(latest);
    return latest;
  };
  return {
    version,
    find: (words) => {
      version();
      return shelf.get(words);
    },
    keep: (words, madeFor, made) => {
      if (madeFor !== version()) return;
      if (size > most) begin(madeFor);
      size += words.length + sizeOf(made);
      shelf.set(words, made);
    },
  };
}
