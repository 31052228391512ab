// The upgrade to 011_bundles: moves the entries and the tiles of 1.0.0 into bundles and into tiles of bytes. Readers look
// into both tables until it is finished. What is left of an unfinished bundle is moved by the transaction that completes
// it.
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

export const packOlderTiles: BatchedChange = {
  key: '011_tiles',
  count: (reader) => countRows(reader, 'tiles_of_1_0'),
  changeBatch: async (tx, position) => {
    const rows = await tx.all<{ level: number; idx: number; hashes: string }>(
      `select level, idx, hashes from tiles_of_1_0 order by level, idx limit ${TILES_OF_BATCH}`,
    );
    await tx.insert(
      'ledger_tiles',
      rows.map((tile) => ({ ...tile, hashes: Buffer.from(tile.hashes, 'base64') })),
    );
    // All that are stored are removed: those of this batch.
    await tx.run(
      `delete from tiles_of_1_0 where exists
         (select 1 from ledger_tiles t where t.level = tiles_of_1_0.level and t.idx = tiles_of_1_0.idx)`,
    );
    return { position, changed: rows.length, finished: rows.length < TILES_OF_BATCH };
  },
};
