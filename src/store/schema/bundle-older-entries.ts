// The upgrade to 011_bundles: moves the entries of 1.0.0 into bundles, and the tiles above level 0 into tiles of bytes.
// Readers look into both tables until it is finished. What is left of an unfinished bundle is moved by the transaction that
// completes it. The upgrade to 023_leaf_tiles removes the tiles of level 0, which follow from the bundles.
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader } from '../engine/store.ts';
import { storeBundles, withLeafHash } from '../ledger/bundles.ts';
import { bundleOfLeaf, readLoose, sealedEntry } from '../ledger/entries.ts';
import type { BatchedChange } from './batched-change.ts';

/** In a transaction that holds the lock of the embedded store for about a tenth of a second. */
const BUNDLES_OF_BATCH = 16;
const TILES_OF_BATCH = 256;

const countRows = async (reader: Reader, table: string): Promise<number> =>
  (await reader.get<{ n: number }>(`select count(*) as n from ${table}`))?.n ?? 0;

export const bundleOlderEntries: BatchedChange = {
  key: '011_bundles',
  count: async (reader) => {
    const rows = await countRows(reader, 'entries_of_1_0');
    return rows - (rows % TILE_WIDTH);
  },
  changeBatch: async (tx, position) => {
    const from = Number(position || 0);
    const to = from + BUNDLES_OF_BATCH;
    const last = await tx.get<{ leaf: number | null }>('select max(leaf) as leaf from entries_of_1_0');
    const end = Math.min(to, bundleOfLeaf((last?.leaf ?? -1) + 1));
    const rows = end > from ? await readLoose(tx, from * TILE_WIDTH, end * TILE_WIDTH) : [];
    if (rows.length)
      await storeBundles(
        tx,
        rows.map((row) => withLeafHash(sealedEntry(row.leaf, row))),
        true,
      );
    return { position: String(end), changed: rows.length, finished: end < to };
  },
};

/** After the entries, from which the tiles of level 0 follow: those go with nothing in their place. */
export const packOlderTiles: BatchedChange = {
  key: '011_tiles',
  count: (reader) => countRows(reader, 'tiles_of_1_0'),
  changeBatch: async (tx, position) => {
    const rows = await tx.all<{ level: number; idx: number; hashes: string }>(
      `select level, idx, hashes from tiles_of_1_0 order by level, idx limit ${TILES_OF_BATCH}`,
    );
    const last = rows.at(-1);
    if (last) {
      await tx.insert(
        'ledger_tiles',
        rows
          .filter(({ level }) => level > 0)
          .map((tile) => ({ ...tile, hashes: Buffer.from(tile.hashes, 'base64') })),
      );
      await tx.run('delete from tiles_of_1_0 where (level, idx) <= (?, ?)', last.level, last.idx);
    }
    return { position, changed: rows.length, finished: rows.length < TILES_OF_BATCH };
  },
};

const overBundle = 'level = 0 and exists (select 1 from ledger_bundles b where b.idx = ledger_tiles.idx)';

export const removeLeafTiles: BatchedChange = {
  key: '023_leaf_tiles',
  count: (reader) => countRows(reader, `ledger_tiles where ${overBundle}`),
  changeBatch: async (tx, position) => {
    const after = Number(position || -1);
    const rows = await tx.all<{ idx: number }>(
      `select idx from ledger_tiles where ${overBundle} and idx > ? order by idx limit ${TILES_OF_BATCH}`,
      after,
    );
    const until = rows.at(-1)?.idx ?? after;
    await tx.run(`delete from ledger_tiles where ${overBundle} and idx > ? and idx <= ?`, after, until);
    return { position: String(until), changed: rows.length, finished: rows.length < TILES_OF_BATCH };
  },
};
