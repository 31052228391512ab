// The entries of a store's ledger for tests: read whole, and edited behind the back of the service.
import { zstdCompressSync } from 'node:zlib';
import type { EntryType } from '../../../src/ledger/entry.ts';
import { TILE_WIDTH } from '../../../src/ledger/tiles.ts';
import type { Reader, Store } from '../../../src/store/engine/store.ts';
import {
  allEntries,
  bundleOfLeaf,
  type LedgerEntry,
  readEntries,
} from '../../../src/store/ledger/entries.ts';
import { parseLine, unpackBundle } from '../../../src/store/ledger/packed-bundle.ts';

/** In the order of the log; of one type, if it is given. */
export async function storedEntries(store: Reader, type?: EntryType): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  for await (const entries of allEntries(store))
    found.push(...(type ? entries.filter((entry) => entry.type === type) : entries));
  return found;
}

/** The sealed payloads of a type, parsed, in the order of the log. */
export const storedPayloads = async <T>(store: Reader, type?: EntryType): Promise<T[]> =>
  (await storedEntries(store, type)).map(({ payload }) => JSON.parse(payload) as T);

export async function storedEntry(store: Reader, leaf: number): Promise<LedgerEntry> {
  return (await readEntries(store, [leaf]))(leaf);
}

/** Edits the entries of a bundle as they are stored, a line each; `dropGuards` first. */
export async function editBundle(
  store: Store,
  idx: number,
  edit: (lines: string[]) => string[],
): Promise<void> {
  const row = await store.get<{ entries: Uint8Array }>(
    'select entries from ledger_bundles where idx = ?',
    idx,
  );
  if (!row) throw new Error(`there is no bundle ${idx}`);
  const entries = zstdCompressSync(edit(unpackBundle(row.entries)).join('\n'));
  await store.transaction((tx) =>
    tx.run('update ledger_bundles set entries = ? where idx = ?', entries, idx),
  );
}

/** Replaces the payload of one entry, in its bundle or in its row. */
export async function editPayload(store: Store, leaf: number, payload: string): Promise<void> {
  const idx = bundleOfLeaf(leaf);
  const isBundled = await store.get('select 1 as found from ledger_bundles where idx = ?', idx);
  if (!isBundled)
    return store.transaction((tx) =>
      tx.run('update ledger_entries set payload = ? where leaf = ?', payload, leaf),
    );
  await editBundle(store, idx, (lines) => {
    const { type, id } = parseLine(lines[leaf % TILE_WIDTH] ?? '');
    return lines.with(leaf % TILE_WIDTH, `${type}\t${id}\t${payload}`);
  });
}
