import { readDecisionId } from '../../domain/decision/silence.ts';
import { isRevealId } from '../../domain/prediction/prediction.ts';
import { isVerdictId } from '../../domain/verdict/verdict.ts';
import { type Checkpoint, readNote } from '../../ledger/checkpoint.ts';
import { type EntryType, entryBundle, entryText } from '../../ledger/entry.ts';
import { isKeyChangeId } from '../../ledger/key-change.ts';
import { HASH_BYTES, hashAt, subtreeRoot } from '../../ledger/merkle.ts';
import type { ReadTile } from '../../ledger/proof.ts';
import type { TilePath } from '../../ledger/tile-path.ts';
import { TILE_WIDTH, type TileId } from '../../ledger/tiles.ts';
import type { Reader, Value } from '../engine/store.ts';
import { inPocket } from '../prediction/forecast-numbers.ts';
import { hours, utcDay } from '../rows/day-index.ts';
import { byForecastLeaf, forecastRange, forecastsWithin } from '../rows/forecast-leaves.ts';
import { firstKeptLeaf } from './archived.ts';
import { entriesOfBundle, type LedgerEntry, MAX_LEAF, readEntries } from './entries.ts';
import { cachedLeafTile, type LeafTile, storedLeafTile } from './leaf-tiles.ts';

const tables = {
  prediction: 'predictions',
  line: 'packages',
  silence: 'silences',
  verdict: 'verdicts',
  submission: 'submissions',
  reveal: 'revealed_forecasts',
  key: 'ledger_keys',
} as const;
export type ListedType = Exclude<EntryType, 'reveal'>;

/** Found through the table of the type that the id names: entries themselves are found by leaf alone. */
export async function entryById(store: Reader, id: string): Promise<LedgerEntry | undefined> {
  const decision = readDecisionId(id);
  if (isKeyChangeId(id)) return entryWhere(store, id, 'key', 'leaf is not null');
  if (!decision) return entryWhere(store, id, 'submission', 'id = ?', id);
  const { pocket_id, slot, rest } = decision;
  const find = (type: EntryType) =>
    entryWhere(store, id, type, 'pocket_id = ? and slot = ?', pocket_id, slot);
  if (rest === '') return (await find('silence')) ?? find('line');
  if (isVerdictId(id)) return find('verdict');
  const type = isRevealId(id) ? 'reveal' : 'prediction';
  const hour = Math.floor(slot / hours.span);
  const at = `${inPocket(tables[type])} and slot = ? and ${utcDay('slot', hours)} = ?`;
  return entryWhere(store, id, type, at, pocket_id, slot, hour);
}

/** The entry with the id among those of the few rows that match. */
async function entryWhere(
  store: Reader,
  id: string,
  type: EntryType,
  condition: string,
  ...params: Value[]
): Promise<LedgerEntry | undefined> {
  const rows = await store.all<{ leaf: number }>(
    `select leaf from ${tables[type]} where ${condition}`,
    ...params,
  );
  // The newest first: those that are archived are not reached where another one has the id.
  const leaves = rows.map(({ leaf }) => leaf).sort((a, b) => b - a);
  const entryAt = await readEntries(store, leaves);
  for (const leaf of leaves) if (entryAt(leaf).id === id) return entryAt(leaf);
  return undefined;
}

/** The last entries of a type that are not archived, newest first; those before the leaf `before`, if it is given. */
export async function newestEntries(
  store: Reader,
  type: ListedType,
  limit: number,
  before = MAX_LEAF,
): Promise<LedgerEntry[]> {
  const kept = await firstKeptLeaf(store);
  const rows =
    type === 'prediction'
      ? await store.all<{ leaf: number }>(
          `select p.leaf from predictions p where ${forecastsWithin('p.leaf', 'p.first_leaf')}
           order by ${byForecastLeaf('p', 'desc')} limit ?`,
          ...forecastRange(kept, before),
          limit,
        )
      : await store.all<{ leaf: number }>(
          `select leaf from ${tables[type]} where leaf < ? and leaf >= ? order by leaf desc limit ?`,
          before,
          kept,
          limit,
        );
  const leaves = rows.map(({ leaf }) => leaf);
  return leaves.map(await readEntries(store, leaves));
}

/** The entries under a tile of level 0, built from the stored rows, so that a verifier notices an edited row. */
export async function entriesOfTile(store: Reader, tile: number, width: number): Promise<string[]> {
  const entries = await entriesOfBundle(store, tile, width);
  return entries.map(({ type, id, payload, payload_hash }) =>
    entryText(type, id, { canonical: payload, payload_hash }),
  );
}

/** How many entries the log has; undefined before it is begun. */
export const ledgerSize = async (store: Reader): Promise<number | undefined> =>
  (await store.get<{ size: number }>('select size from ledger_size'))?.size;

/** The newest checkpoint. */
export async function latestCheckpoint(store: Reader): Promise<{ size: number; note: string } | undefined> {
  return store.get('select size, note from ledger_checkpoints order by size desc limit 1');
}

/** The signed note of the checkpoint of that size, if the log has published one. */
export const checkpointOfSize = async (store: Reader, size: number): Promise<string | undefined> =>
  (await store.get<{ note: string }>('select note from ledger_checkpoints where size = ?', size))?.note;

/** Whether the log has grown from a checkpoint of it. Every transaction that appends stores its own, so it is among them. */
export async function growsFrom(store: Reader, { size, root }: KnownTree): Promise<boolean> {
  const note = await checkpointOfSize(store, size);
  return note !== undefined && readNote(note).root === root;
}

export type KnownTree = Pick<Checkpoint, 'size' | 'root'>;

/** The largest checkpoint of at most `most` entries after `size`, or the next one where that has more; undefined after the newest. */
export async function nextCheckpoint(
  store: Reader,
  size: number,
  most: number,
): Promise<{ size: number; note: string } | undefined> {
  const after = 'select size, note from ledger_checkpoints where size > ?';
  return (
    (await store.get(`${after} and size <= ? order by size desc limit 1`, size, size + most)) ??
    store.get(`${after} order by size limit 1`, size)
  );
}

/** The newest checkpoint of entries that were all written before a time. */
export const checkpointBefore = (
  store: Reader,
  time: number,
): Promise<{ size: number; signed_at: number } | undefined> =>
  store.get(
    'select size, signed_at from ledger_checkpoints where signed_at < ? order by size desc limit 1',
    time,
  );

/** When the first checkpoint after `size` was signed; undefined if there is none. */
export const signedAfter = async (store: Reader, size: number): Promise<number | undefined> =>
  (
    await store.get<{ signed_at: number }>(
      'select signed_at from ledger_checkpoints where size > ? order by size limit 1',
      size,
    )
  )?.signed_at;

/** The bytes at the path of a tile or a bundle, as they are published. */
export function publishedTile(store: Reader): (tile: TilePath) => Promise<Buffer> {
  return async ({ level, index, width }) =>
    level === 'entries'
      ? entryBundle(await entriesOfTile(store, index, width))
      : readTile(store, { level, index, width }, storedLeafTile);
}

/** Reads a complete tile, or the first `width` hashes of the incomplete one at the right edge of the tree. */
export const tileReader =
  (store: Reader): ReadTile =>
  (tile) =>
    readTile(store, tile, cachedLeafTile);

/** A complete tile of level 0 is computed, as long as its entries are in the store. */
async function readTile(store: Reader, { level, index, width }: TileId, leafTile: LeafTile): Promise<Buffer> {
  const find = async <T extends string | Uint8Array>(table: string) =>
    (await store.get<{ hashes: T }>(`select hashes from ${table} where level = ? and idx = ?`, level, index))
      ?.hashes;
  const complete = async () =>
    (level === 0 ? await leafTile(store, index) : undefined) ?? (await find<Uint8Array>('ledger_tiles'));
  const incomplete = async () => {
    const text = (await find<string>('ledger_edges')) ?? (await find<string>('tiles_of_1_0'));
    return text === undefined ? undefined : Buffer.from(text, 'base64');
  };
  // Between the two the tile may have been completed, or moved out of the table of 1.0.0.
  const hashes = (await complete()) ?? (await incomplete()) ?? (await complete()) ?? [];
  return Buffer.from(hashes).subarray(0, width * HASH_BYTES);
}

/** Whether the complete tile of level 0 over a bundle is the one that the tree was made from. */
export async function isInTree(store: Reader, idx: number, hashes: Buffer): Promise<boolean> {
  if (hashes.length !== TILE_WIDTH * HASH_BYTES) return false;
  const place = idx % TILE_WIDTH;
  const above = { level: 1, index: Math.floor(idx / TILE_WIDTH), width: place + 1 };
  return hashAt(await tileReader(store)(above), place) === subtreeRoot(hashes, 0, TILE_WIDTH);
}
