// Reads entries of the ledger by their leaves: those of complete bundles from the bundle, the newest ones from rows of
// their own, and those of a store that is being upgraded from the rows of 1.0.0.
import type { EntryType } from '../../ledger/entry.ts';
import { hashCanonical } from '../../ledger/seal.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { missingLeafError, refuseArchivedBundle } from './archived.ts';
import { parseLine, type UnhashedEntry, unpackBundle } from './packed-bundle.ts';

export interface LedgerEntry {
  leaf: number;
  type: EntryType;
  id: string;
  /** The canonical text that was hashed: serve it as it is, or parse it; never serialise it again. */
  payload: string;
  payload_hash: `sha256:${string}`;
}

/** Larger than any leaf. */
export const MAX_LEAF = Number.MAX_SAFE_INTEGER;

/** Unpacked bundles of about 170 kB that each connection has in memory. */
const CACHED_BUNDLES = 32;
/** Bundles that are read at once. */
const BUNDLE_BATCH = 16;

/** A transaction is a reader of its own, so that what it rolls back is in no cache. */
const caches = new WeakMap<Reader, Map<number, string[]>>();

/** What a transaction has appended and not stored yet: the newest entries, fewer than a bundle. */
const unstored = new WeakMap<Reader, readonly LedgerEntry[]>();

/** Lets the transaction read these entries too, in place of those that it had set before. */
export const setUnstored = (tx: Transaction, entries: readonly LedgerEntry[]): void =>
  void unstored.set(tx, entries);

export const bundleOfLeaf = (leaf: number): number => Math.floor(leaf / TILE_WIDTH);

export const sealedEntry = (leaf: number, { type, id, payload }: UnhashedEntry): LedgerEntry => ({
  leaf,
  type,
  id,
  payload,
  payload_hash: hashCanonical(payload),
});

/** The entry of a leaf that was asked for. */
export type EntryAt = (leaf: number) => LedgerEntry;

/** Reads the entries of these leaves, each of which the log must have; for one that is archived an ArchivedError is thrown. */
export async function readEntries(store: Reader, leaves: readonly number[]): Promise<EntryAt> {
  const found = new Map(unstored.get(store)?.map((entry) => [entry.leaf, entry]));
  const wanted = [...new Set(leaves)];
  await addBundled(store, missing(wanted, found), found);
  await addLoose(store, missing(wanted, found), found);
  // Between the two their bundle may have been stored.
  await addBundled(store, missing(wanted, found), found);
  const missingLeaf = missing(wanted, found).length > 0 ? await missingLeafError(store) : undefined;
  return (leaf) => {
    const entry = found.get(leaf);
    if (!entry) throw missingLeaf?.(leaf) ?? new Error(`leaf ${leaf} was not asked for`);
    return entry;
  };
}

const missing = (leaves: readonly number[], found: ReadonlyMap<number, unknown>): number[] =>
  leaves.filter((leaf) => !found.has(leaf));

async function addBundled(
  store: Reader,
  leaves: readonly number[],
  found: Map<number, LedgerEntry>,
): Promise<void> {
  const byBundle = Map.groupBy(leaves, bundleOfLeaf);
  const indexes = [...byBundle.keys()];
  for (let at = 0; at < indexes.length; at += BUNDLE_BATCH)
    for (const [idx, lines] of await unpackedBundles(store, indexes.slice(at, at + BUNDLE_BATCH)))
      for (const leaf of byBundle.get(idx) ?? []) {
        const line = lines[leaf - idx * TILE_WIDTH];
        if (line !== undefined) found.set(leaf, sealedEntry(leaf, parseLine(line)));
      }
}

/** Those of the bundles that are complete; a bundle never changes, so it is read and unpacked once. */
async function unpackedBundles(store: Reader, indexes: readonly number[]): Promise<Map<number, string[]>> {
  const cache = caches.get(store) ?? new Map<number, string[]>();
  caches.set(store, cache);
  const found = new Map<number, string[]>();
  for (const idx of indexes) {
    const lines = cache.get(idx);
    if (lines) found.set(idx, lines);
  }
  for (const [idx, lines] of await readBundles(store, missing(indexes, found))) found.set(idx, lines);
  for (const [idx, lines] of found) {
    // The last used one is the last one in the order of insertion.
    cache.delete(idx);
    cache.set(idx, lines);
  }
  for (const idx of cache.keys()) {
    if (cache.size <= CACHED_BUNDLES) break;
    cache.delete(idx);
  }
  return found;
}

/** The lines of a bundle that was unpacked lately. */
export const linesInMemory = (store: Reader, idx: number): string[] | undefined =>
  caches.get(store)?.get(idx);

/** From the store itself. */
export async function readBundles(store: Reader, indexes: readonly number[]): Promise<Map<number, string[]>> {
  const bundles = new Map<number, string[]>();
  for (const chunk of inClauseChunks(indexes)) {
    const rows = await store.all<{ idx: number; entries: Uint8Array }>(
      `select idx, entries from ledger_bundles where idx in (${inClause(chunk)})`,
      ...chunk,
    );
    for (const { idx, entries } of rows) bundles.set(idx, unpackBundle(entries));
  }
  return bundles;
}

type Row = UnhashedEntry & { leaf: number };
/** Those of 1.0.0 last: an entry leaves both tables for its bundle only. */
export const looseTables = ['ledger_entries', 'entries_of_1_0'] as const;

async function addLoose(
  store: Reader,
  leaves: readonly number[],
  found: Map<number, LedgerEntry>,
): Promise<void> {
  for (const table of looseTables)
    for (const chunk of inClauseChunks(missing(leaves, found))) {
      const rows = await store.all<Row>(
        `select leaf, type, id, payload from ${table} where leaf in (${inClause(chunk)})`,
        ...chunk,
      );
      for (const row of rows) found.set(row.leaf, sealedEntry(row.leaf, row));
    }
}

/** The entries from one leaf up to another that are in no bundle yet, in their order. */
export async function readLoose(store: Reader, from: number, to: number): Promise<Row[]> {
  const found: Row[] = [];
  for (const table of looseTables)
    found.push(
      ...(await store.all<Row>(
        `select leaf, type, id, payload from ${table} where leaf >= ? and leaf < ? order by leaf`,
        from,
        to,
      )),
    );
  return found.sort((a, b) => a.leaf - b.leaf);
}

/** The entries of a tile of level 0, up to `width`, from the stored rows and not from memory, so that a verifier notices an edited one. */
export async function entriesOfBundle(store: Reader, idx: number, width: number): Promise<LedgerEntry[]> {
  const first = idx * TILE_WIDTH;
  const bundled = async () =>
    (await readBundles(store, [idx])).get(idx)?.map((line, n) => sealedEntry(first + n, parseLine(line)));
  const loose = async () =>
    (await readLoose(store, first, first + width)).map((row) => sealedEntry(row.leaf, row));
  const entries = (await bundled()) ?? (await loose());
  const complete = entries.length < width ? ((await bundled()) ?? entries) : entries;
  if (!complete.length) await refuseArchivedBundle(store, idx);
  return complete.slice(0, width);
}

/** All entries of the log in their order, a bundle at a time. */
export async function* allEntries(store: Reader, from = 0): AsyncGenerator<LedgerEntry[]> {
  for (let idx = bundleOfLeaf(from); ; idx++) {
    const entries = (await entriesOfBundle(store, idx, TILE_WIDTH)).filter(({ leaf }) => leaf >= from);
    if (entries.length) yield entries;
    if (entries.at(-1)?.leaf !== (idx + 1) * TILE_WIDTH - 1) return;
  }
}

/** How many entries are stored, and the first and the last leaf that has one. */
export async function countEntries(
  store: Reader,
): Promise<{ count: number; first: number | null; last: number | null }> {
  const numbers = ['min', 'max', 'count'].map((name) => `${name}(leaf) as ${name}`).join(', ');
  const bundles = `select min(idx) * ${TILE_WIDTH} as min, max(idx) * ${TILE_WIDTH} + ${TILE_WIDTH - 1} as max, count(idx) * ${TILE_WIDTH} as count from ledger_bundles`;
  const parts = [bundles, ...looseTables.map((table) => `select ${numbers} from ${table}`)];
  const ends: number[] = [];
  let count = 0;
  for (const sql of parts) {
    const part = await store.get<{ min: number | null; max: number | null; count: number }>(sql);
    count += part?.count ?? 0;
    for (const leaf of [part?.min, part?.max]) if (leaf != null) ends.push(leaf);
  }
  return ends.length
    ? { count, first: Math.min(...ends), last: Math.max(...ends) }
    : { count, first: null, last: null };
}
