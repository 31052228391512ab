import type { TreeHead } from './checkpoint.ts';
import { checkDetached } from './detached.ts';
import { entriesOf, readEntry } from './entry.ts';
import { LedgerFault } from './fault.ts';
import { inOrder } from './in-order.ts';
import { orderCheck } from './order.ts';
import { type FetchBytes, fetchBundle, fetchTile, HASH_BYTES, TILE_WIDTH } from './source.ts';
import { digestAt, leafDigest, rootOver, tower } from './tree.ts';

export interface ReadRows {
  fetch: FetchBytes;
  /** How many bundles are fetched ahead of the one that is read. */
  ahead?: number;
  progress?: (rows: number, size: number) => void;
}

export interface Count {
  /** By type. */
  entries: Record<string, number>;
  /** Sealed by their hash, and not published yet. */
  withheld: number;
}

const NO_HASHES = Buffer.alloc(0);

/** Reads the rows of the tree that `head` promises, and holds against it all that follows from them. */
export async function readRows(
  { fetch, ahead = 8, progress }: ReadRows,
  head: TreeHead,
  earlier: TreeHead | undefined,
): Promise<Count> {
  const count: Count = { entries: {}, withheld: 0 };
  const checkOrder = orderCheck();
  const tiles = tower((level, index, hashes) => compareTile(fetch, level, index, hashes));
  /** The hashes to the right of the last complete tile. */
  let edge: Buffer = NO_HASHES;

  const load = async (index: number) => {
    const width = Math.min(TILE_WIDTH, head.size - index * TILE_WIDTH);
    const parts = await Promise.all([fetchBundle(fetch, index, width), fetchTile(fetch, 0, index, width)]);
    return { index, width, bundle: parts[0], tile: parts[1] };
  };
  if (earlier?.size === 0) checkEarlier(tiles.root(NO_HASHES), earlier);
  for await (const { index, width, bundle, tile } of inOrder(
    Math.ceil(head.size / TILE_WIDTH),
    ahead,
    load,
  )) {
    const first = index * TILE_WIDTH;
    let leaf = first;
    for (const bytes of entriesOf(bundle, index, width)) {
      if (leafDigest(bytes) !== digestAt(tile, leaf - first)) throw misplaced(bytes, leaf);
      const entry = readEntry(bytes, leaf);
      checkOrder(entry, leaf);
      count.entries[entry.type] = (count.entries[entry.type] ?? 0) + 1;
      if ('detached' in entry.payload && (await checkDetached(fetch, entry, leaf)) === 'withheld')
        count.withheld++;
      leaf++;
    }
    if (earlier && first < earlier.size && earlier.size <= leaf) {
      checkEarlier(tiles.root(tile.subarray(0, (earlier.size - first) * HASH_BYTES)), earlier);
    }
    if (width === TILE_WIDTH) await tiles.add(rootOver(tile));
    else edge = tile;
    progress?.(leaf, head.size);
  }

  for (const { level, index, hashes } of tiles.edges()) await compareTile(fetch, level, index, hashes);
  if (tiles.root(edge).toString('base64') !== head.root) {
    throw new LedgerFault('wrong_root', 'the signed root does not follow from the rows');
  }
  return count;
}

/** The bytes are not the ones that were logged, but their id, if they have one, helps to find the row. */
function misplaced(bytes: Buffer, leaf: number): LedgerFault {
  const [, id] = /^\{"id":"([A-Za-z0-9._:-]{1,128})"/.exec(bytes.toString('latin1', 0, 150)) ?? [];
  const message = 'the row does not hash to its leaf in the log';
  return new LedgerFault('wrong_leaf', message, id === undefined ? { leaf } : { leaf, id });
}

async function compareTile(fetch: FetchBytes, level: number, index: number, hashes: Buffer): Promise<void> {
  const served = await fetchTile(fetch, level, index, hashes.length / HASH_BYTES);
  if (served.equals(hashes)) return;
  const place = Math.floor(hashes.findIndex((byte, i) => byte !== served[i]) / HASH_BYTES);
  const rows = TILE_WIDTH ** level;
  const leaf = (index * TILE_WIDTH + place) * rows;
  const message = `tile ${index} of level ${level} does not follow from rows ${leaf} to ${leaf + rows - 1}`;
  throw new LedgerFault('wrong_tile', message, { leaf });
}

function checkEarlier(root: Buffer, earlier: TreeHead): void {
  if (root.toString('base64') === earlier.root) return;
  throw new LedgerFault(
    'rewritten',
    `the first ${earlier.size} rows are not those of the earlier checkpoint`,
  );
}
