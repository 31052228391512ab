// Stores bundles of entries: a bundle is written once, by the transaction that removes the rows of its entries.
import { entryLeaf, entryText } from '../../ledger/entry.ts';
import type { Hash } from '../../ledger/merkle.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Transaction } from '../engine/store.ts';
import { type LedgerEntry, looseTables } from './entries.ts';
import { indexBundles } from './hash-index.ts';
import { packBundle } from './packed-bundle.ts';

/** An entry with its hash as a leaf of the tree. */
export type HashedEntry = LedgerEntry & { leafHash: Hash };

export const withLeafHash = (entry: LedgerEntry): HashedEntry => ({
  ...entry,
  leafHash: entryLeafHash(entry),
});

export const entryLeafHash = ({ type, id, payload, payload_hash }: LedgerEntry): Hash =>
  entryLeaf(entryText(type, id, { canonical: payload, payload_hash }));

/** Stores whole bundles that follow each other. `hadRows`: some entries have rows of their own, which are removed. */
export async function storeBundles(
  tx: Transaction,
  entries: readonly HashedEntry[],
  hadRows: boolean,
): Promise<void> {
  const first = entries[0]?.leaf ?? 0;
  if (first % TILE_WIDTH !== 0 || entries.some(({ leaf }, n) => leaf !== first + n))
    throw new Error(`the entries from leaf ${first} on do not follow each other`);
  const bundles = Array.from({ length: entries.length / TILE_WIDTH }, (_, n) => ({
    idx: first / TILE_WIDTH + n,
    entries: entries.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH),
  }));
  await tx.insert(
    'ledger_bundles',
    bundles.map((bundle) => ({ idx: bundle.idx, entries: packBundle(bundle.entries) })),
  );
  await indexBundles(
    tx,
    bundles.map((bundle) => ({
      idx: bundle.idx,
      hashes: bundle.entries.flatMap(({ payload_hash, leafHash }) => [
        payload_hash.slice('sha256:'.length),
        leafHash,
      ]),
    })),
  );
  if (!hadRows) return;
  for (const table of looseTables)
    await tx.run(`delete from ${table} where leaf >= ? and leaf < ?`, first, first + entries.length);
}
