import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

const VERSION = 'version';

/** The version of the pipeline's state, locked until the transaction ends. */
export async function lockState(tx: Transaction): Promise<string> {
  const row = await tx.get<{ body: string }>(
    `insert into working_memory (key, body) values (?, '')
     on conflict (key) do update set body = working_memory.body returning body`,
    VERSION,
  );
  return row?.body ?? '';
}

interface Entry {
  key: string;
  body: string;
}
export type Entries = Map<string, unknown>;

const parsed = (rows: readonly Entry[]): Entries =>
  new Map(rows.map(({ key, body }) => [key, JSON.parse(body)]));

/** All entries; null when there are more than `most`. */
export async function readState(store: Reader, most: number): Promise<Entries | null> {
  const counted = await store.get<{ count: number }>('select count(*) as count from working_memory');
  if ((counted?.count ?? 0) - 1 > most) return null;
  return parsed(await store.all<Entry>('select key, body from working_memory where key <> ?', VERSION));
}

/** The entries of these keys that exist. */
export async function readEntries(store: Reader, keys: readonly string[]): Promise<Entries> {
  const rows: Entry[] = [];
  for (const some of inClauseChunks(keys))
    rows.push(
      ...(await store.all<Entry>(`select key, body from working_memory where key in (${inClause})`, ...some)),
    );
  return parsed(rows);
}

const upsert = 'on conflict (key) do update set body = excluded.body';

export const writeEntries = (
  tx: Transaction,
  entries: readonly (readonly [key: string, value: unknown])[],
): Promise<void> =>
  tx.insert(
    'working_memory',
    entries.map(([key, value]) => ({ key, body: JSON.stringify(value) })),
    upsert,
  );

export const writeVersion = (tx: Transaction, version: string): Promise<void> =>
  tx.insert('working_memory', [{ key: VERSION, body: version }], upsert);
