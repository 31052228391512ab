// Stores bundles of entries: a bundle is written once, by the transaction that removes the rows of its entries.
import { entryLeaf, entryText } from '../../ledger/entry.ts';
import type { Hash } from '../../ledger/merkle.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Transaction } from '../engine/store.ts';
import { type LedgerEntry, looseTables } from './entries.ts';
import { indexBundle } from './hash-index.ts';
import { packBundle } from './packed-bundle.ts';

/** An entry with its hash as a leaf of the tree. */
export type HashedEntry = LedgerEntry & { leafHash: Hash };

export const withLeafHash = (entry: LedgerEntry): HashedEntry => ({
  ...entry,
  leafHash: entryLeafHash(entry),
});

export const entryLeafHash = ({ type, id, payload, payload_hash }: LedgerEntry): Hash =>
  entryLeaf(entryText(type, id, { canonical: payload, payload_hash }));

/** Stores all entries of a bundle. `hadRows`: some of them have rows of their own, which are removed. */
export async function storeBundle(
  tx: Transaction,
  idx: number,
  entries: readonly HashedEntry[],
  hadRows: boolean,
): Promise<void> {
  const first = idx * TILE_WIDTH;
  if (entries.some(({ leaf }, n) => leaf !== first + n))
    throw new Error(`the entries of bundle ${idx} do not follow each other`);
  await tx.insert('ledger_bundles', [{ idx, entries: packBundle(entries) }]);
  await indexBundle(
    tx,
    idx,
    entries.flatMap(({ payload_hash, leafHash }) => [payload_hash.slice('sha256:'.length), leafHash]),
  );
  if (!hadRows) return;
  for (const table of looseTables)
    await tx.run(`delete from ${table} where leaf >= ? and leaf < ?`, first, first + TILE_WIDTH);
}
