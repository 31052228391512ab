// What is told of every pocket at a slot and read while it is new: packed for many pockets at once, since the texts of a
// slot are much alike. A pack holds the pockets from its first to its last one; those of a slot and district do not
// overlap.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Reader, Transaction } from '../engine/store.ts';

export type PackTable = 'readiness_packs' | 'story_packs';

/** So many that they are alike, and so few that the one of a pocket is read in a fraction of a millisecond. */
const PACKED_TOGETHER = 64;

/** A tenth less than at the usual level; a pack takes a few tenths of a millisecond. */
const params = { [constants.ZSTD_c_compressionLevel]: 9 };

/** In the order of the packs, which is that of the bytes in both engines. */
export const byPocketId = (one: { pocket_id: string }, other: { pocket_id: string }): number =>
  one.pocket_id < other.pocket_id ? -1 : one.pocket_id > other.pocket_id ? 1 : 0;

/** `entries`: by pocket. Several calls for a slot and district must have pockets that follow each other. */
export async function writePacks<T>(
  tx: Transaction,
  table: PackTable,
  { slot, district = WHOLE_CITY }: { slot: number; district?: string },
  entries: ReadonlyMap<string, T>,
): Promise<void> {
  const sorted = [...entries].map(([pocket_id, entry]) => ({ pocket_id, entry })).sort(byPocketId);
  const packs = [];
  for (let at = 0; at < sorted.length; at += PACKED_TOGETHER) {
    const together = sorted.slice(at, at + PACKED_TOGETHER);
    const texts = Object.fromEntries(together.map(({ pocket_id, entry }) => [pocket_id, entry]));
    packs.push({
      slot,
      district,
      first_pocket: together[0]?.pocket_id ?? '',
      last_pocket: together.at(-1)?.pocket_id ?? '',
      pack: zstdCompressSync(JSON.stringify(texts), { params }),
    });
  }
  await tx.insert(table, packs);
}

interface PackKey {
  slot: number;
  first_pocket: string;
}

/** Of the newest slots, which are asked about again and again: unpacking takes longer than reading a row. */
const CACHED_PACKS = 64;
type Entries = Readonly<Record<string, unknown>>;
/** A transaction is a reader of its own, so that what it rolls back is in no cache. */
const caches = new WeakMap<Reader, Map<string, Entries>>();

/** Entries are shared: whoever reads them changes nothing. */
async function readPack<T>(store: Reader, table: PackTable, { slot, first_pocket }: PackKey) {
  const cache = caches.get(store) ?? new Map<string, Entries>();
  caches.set(store, cache);
  const key = `${table} ${slot} ${first_pocket}`;
  let entries = cache.get(key);
  if (!entries) {
    const row = await store.get<{ pack: Uint8Array }>(
      `select pack from ${table} where slot = ? and first_pocket = ?`,
      slot,
      first_pocket,
    );
    entries = row ? (JSON.parse(zstdDecompressSync(row.pack).toString()) as Entries) : {};
  }
  cache.delete(key);
  cache.set(key, entries);
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHED_PACKS) break;
    cache.delete(oldest);
  }
  return entries as Readonly<Record<string, T>>;
}

/** The newest entry of a pocket in the window (after, until]; null where there is none. */
export async function newestPacked<T>(
  store: Reader,
  table: PackTable,
  pocket: string,
  { after, until }: { after: number; until: number },
): Promise<{ slot: number; entry: T } | null> {
  for (let last = until; ; ) {
    const pack = await store.get<PackKey>(
      `select slot, first_pocket from ${table}
       where slot > ? and slot <= ? and first_pocket <= ? and last_pocket >= ?
         and district in ('', (select district from pocket_districts where pocket_id = ?))
       order by slot desc limit 1`,
      after,
      last,
      pocket,
      pocket,
      pocket,
    );
    if (!pack) return null;
    const entry = (await readPack<T>(store, table, pack))[pocket];
    if (entry !== undefined) return { slot: pack.slot, entry };
    last = pack.slot - 1;
  }
}

/** The entries of a slot by pocket, in the order of the packs: those of some pockets, or all. */
export async function packedAt<T>(
  store: Reader,
  table: PackTable,
  slot: number,
  only?: ReadonlySet<string>,
): Promise<Map<string, T>> {
  const packs = await store.all<PackKey>(
    `select slot, first_pocket from ${table} where slot = ? order by first_pocket`,
    slot,
  );
  const entries = new Map<string, T>();
  for (const pack of packs)
    for (const [pocket, entry] of Object.entries(await readPack<T>(store, table, pack)))
      if (!only || only.has(pocket)) entries.set(pocket, entry);
  return entries;
}
