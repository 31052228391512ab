// Finds entries by the first four bytes of a hash, in five bytes for each hash: a row of its own for each would take ten
// times as many. A bundle has one row with the beginnings of its hashes (level 0); once all 256 bundles of a segment have
// theirs, those are merged into a row for each first byte (level 1). A search reads one row of each segment and the
// rows of the bundles that are not merged yet.
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader, Transaction } from '../engine/store.ts';

/** Bytes of a hash that are indexed: enough to tell the entries of a log apart. */
const START_BYTES = 4;
/** Hex digits of a hash by which it can be found. */
export const HASH_START = 2 * START_BYTES;
const SEGMENT_BUNDLES = 256;
const SEGMENT_ENTRIES = SEGMENT_BUNDLES * TILE_WIDTH;
/** In level 1: the rest of the beginning, and the entry's position in its segment. */
const REST_BYTES = START_BYTES - 1;
const ITEM_BYTES = REST_BYTES + 2;
const BYTE_VALUES = 256;

/** Two hashes in hex for each entry of a bundle, in their order. */
export async function indexBundles(
  tx: Transaction,
  bundles: readonly { idx: number; hashes: readonly string[] }[],
): Promise<void> {
  await tx.insert(
    'ledger_hash_index',
    bundles.map(({ idx, hashes }) => ({ level: 0, first_byte: 0, idx, hashes: joinStarts(hashes) })),
  );
  for (const segment of new Set(bundles.map(({ idx }) => Math.floor(idx / SEGMENT_BUNDLES))))
    await mergeComplete(tx, segment);
}

const joinStarts = (hashes: readonly string[]): Buffer =>
  Buffer.from(hashes.map((hex) => hex.slice(0, HASH_START)).join(''), 'hex');

async function mergeComplete(tx: Transaction, segment: number): Promise<void> {
  const first = segment * SEGMENT_BUNDLES;
  const within = 'level = 0 and first_byte = 0 and idx >= ? and idx < ?';
  const counted = await tx.get<{ n: number }>(
    `select count(*) as n from ledger_hash_index where ${within}`,
    first,
    first + SEGMENT_BUNDLES,
  );
  if (counted?.n !== SEGMENT_BUNDLES) return;
  const rows = await tx.all<IndexRow>(
    `select idx, hashes from ledger_hash_index where ${within} order by idx`,
    first,
    first + SEGMENT_BUNDLES,
  );
  await tx.insert('ledger_hash_index', mergeSegment(segment, rows));
  await tx.run(`delete from ledger_hash_index where ${within}`, first, first + SEGMENT_BUNDLES);
}

interface IndexRow {
  idx: number;
  hashes: Uint8Array;
}

function mergeSegment(segment: number, rows: readonly IndexRow[]) {
  const items: Buffer[][] = Array.from({ length: BYTE_VALUES }, () => []);
  for (const row of rows)
    for (const { start, entry } of startsOfBundle(row.hashes)) {
      const item = Buffer.alloc(ITEM_BYTES);
      start.copy(item, 0, 1);
      item.writeUInt16BE((row.idx % SEGMENT_BUNDLES) * TILE_WIDTH + entry, REST_BYTES);
      items[start[0] as number]?.push(item);
    }
  return items.map((own, first_byte) => ({ level: 1, first_byte, idx: segment, hashes: Buffer.concat(own) }));
}

function* startsOfBundle(bytes: Uint8Array): Generator<{ start: Buffer; entry: number }> {
  const starts = asBuffer(bytes);
  const perEntry = starts.length / START_BYTES / TILE_WIDTH;
  for (let n = 0; n * START_BYTES < starts.length; n++)
    yield {
      start: starts.subarray(n * START_BYTES, (n + 1) * START_BYTES),
      entry: Math.floor(n / perEntry),
    };
}

/** The leaves of entries in bundles that have a hash which begins with these digits, in their order. */
export async function leavesByHash(store: Reader, hex: string): Promise<number[]> {
  const wanted = Buffer.from(hex.slice(0, HASH_START), 'hex');
  const leaves = new Set<number>();
  const recent = await store.all<IndexRow>('select idx, hashes from ledger_hash_index where level = 0');
  for (const { idx, hashes } of recent)
    for (const at of findAligned(wanted, hashes, START_BYTES))
      leaves.add(idx * TILE_WIDTH + Math.floor((at * TILE_WIDTH) / hashes.length));
  const merged = await store.all<IndexRow>(
    'select idx, hashes from ledger_hash_index where level = 1 and first_byte = ?',
    wanted[0] ?? 0,
  );
  const rest = wanted.subarray(1);
  for (const { idx, hashes } of merged)
    for (const at of findAligned(rest, hashes, ITEM_BYTES))
      leaves.add(idx * SEGMENT_ENTRIES + asBuffer(hashes).readUInt16BE(at + REST_BYTES));
  return [...leaves].sort((a, b) => a - b);
}

/** Where an item of so many bytes begins with the wanted ones. */
function* findAligned(wanted: Buffer, bytes: Uint8Array, itemBytes: number): Generator<number> {
  const items = asBuffer(bytes);
  for (let at = items.indexOf(wanted); at >= 0; at = items.indexOf(wanted, at + 1))
    if (at % itemBytes === 0) yield at;
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
