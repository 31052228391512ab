// Copies the newest entries of the ledger to other pockets, in bundles of their own beyond the log's end.
import { TILE_WIDTH } from '../../../src/ledger/tiles.ts';
import type { Store, Transaction } from '../../../src/store/engine/store.ts';
import { allEntries } from '../../../src/store/ledger/entries.ts';
import { packBundle, type UnhashedEntry } from '../../../src/store/ledger/packed-bundle.ts';

/** Numbers of copies, both inclusive. */
export interface Copies {
  from: number;
  to: number;
}

/** Leaves of copies are apart by this many, a multiple of what a bundle holds: more than a day has. */
export const LEAVES = 1024 * TILE_WIDTH;
/** Bundles of the log's end that are copied for more pockets: those of the last hour and more. */
const LAST_BUNDLES = 8;

interface LastEntries {
  /** Of the first of them. */
  leaf: number;
  entries: UnhashedEntry[];
}

export async function lastEntries(store: Store): Promise<LastEntries> {
  const { size = 0 } = (await store.get<{ size: number }>('select size from ledger_size')) ?? {};
  const leaf = Math.max(0, Math.floor(size / TILE_WIDTH) - LAST_BUNDLES) * TILE_WIDTH;
  const entries: UnhashedEntry[] = [];
  for await (const batch of allEntries(store, leaf))
    entries.push(...batch.map(({ type, id, payload }) => ({ type, id, payload })));
  while (entries.length % TILE_WIDTH) entries.push(entries[0] as UnhashedEntry);
  return { leaf, entries };
}

export async function copyEntries(
  tx: Transaction,
  { from, to }: Copies,
  { leaf, entries }: LastEntries,
  ids: readonly string[],
): Promise<void> {
  const pocket = new RegExp(`\\b(${ids.join('|')})\\b`, 'g');
  for (let n = from; n <= to; n++) {
    const renamed = entries.map(({ type, id, payload }) => ({
      type,
      id: id.replace(pocket, `$1-${n}`),
      payload: payload.replace(pocket, `$1-${n}`),
    }));
    const bundles = [];
    for (let at = 0; at < renamed.length; at += TILE_WIDTH)
      bundles.push({
        idx: (n * LEAVES + leaf + at) / TILE_WIDTH,
        entries: packBundle(renamed.slice(at, at + TILE_WIDTH)),
      });
    await tx.insert('ledger_bundles', bundles);
  }
}
