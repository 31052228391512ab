// A complete tile of level 0 is the hashes of the entries of a bundle: it is computed from them, and stored only once they
// have left the store.
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader } from '../engine/store.ts';
import { entryLeafHash } from './bundles.ts';
import { linesInMemory, readBundles, sealedEntry } from './entries.ts';
import { parseLine } from './packed-bundle.ts';

/** From the lines of a bundle. */
export const hashLines = (idx: number, lines: readonly string[]): Buffer =>
  Buffer.from(
    lines.map((line, n) => entryLeafHash(sealedEntry(idx * TILE_WIDTH + n, parseLine(line)))).join(''),
    'hex',
  );

/** Computed tiles of 8 kB that each connection has in memory. */
const CACHED_TILES = 64;

/** A transaction is a reader of its own, so that what it rolls back is in no cache. */
const caches = new WeakMap<Reader, Map<number, Buffer>>();

/** Undefined where the store has no such bundle. */
export type LeafTile = (store: Reader, idx: number) => Promise<Buffer | undefined>;

/** From the store and not from memory, so that a verifier, who compares it with the tile above, notices an edited entry. */
export const storedLeafTile: LeafTile = async (store, idx) => {
  const lines = (await readBundles(store, [idx])).get(idx);
  return lines && hashLines(idx, lines);
};

/** For proofs, which read a tile more than once, and after the entry that they are about: neither changes. */
export const cachedLeafTile: LeafTile = async (store, idx) => {
  const cache = caches.get(store) ?? new Map<number, Buffer>();
  caches.set(store, cache);
  const lines = cache.has(idx) ? undefined : linesInMemory(store, idx);
  const hashes = cache.get(idx) ?? (lines ? hashLines(idx, lines) : await storedLeafTile(store, idx));
  if (!hashes) return undefined;
  // The last used one is the last one in the order of insertion.
  cache.delete(idx);
  cache.set(idx, hashes);
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHED_TILES) break;
    cache.delete(oldest);
  }
  return hashes;
};
