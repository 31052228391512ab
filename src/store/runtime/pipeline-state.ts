// The table of the pipeline's state. Its row `version` is the lock, and tells workers whether their cache is current.
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

const VERSION = 'version';

/** The version of the pipeline's state, locked until the transaction ends. */
export async function lockState(tx: Transaction): Promise<string> {
  const row = await tx.get<{ body: string }>(
    `insert into pipeline_state (key, body) values (?, '')
     on conflict (key) do update set body = pipeline_state.body returning body`,
    VERSION,
  );
  return row?.body ?? '';
}

interface Entry {
  key: string;
  body: string;
}
export type Entries = Map<string, unknown>;

const parseEntries = (rows: readonly Entry[]): Entries =>
  new Map(rows.map(({ key, body }) => [key, JSON.parse(body)]));

/** All entries; null when there are more than `most`. */
export async function readState(store: Reader, most: number): Promise<Entries | null> {
  const row = await store.get<{ count: number }>('select count(*) as count from pipeline_state');
  if ((row?.count ?? 0) - 1 > most) return null;
  return parseEntries(await store.all<Entry>('select key, body from pipeline_state where key <> ?', VERSION));
}

/** The entries of these keys that exist. */
export async function readEntries(store: Reader, keys: readonly string[]): Promise<Entries> {
  const rows: Entry[] = [];
  for (const chunk of inClauseChunks(keys))
    rows.push(
      ...(await store.all<Entry>(
        `select key, body from pipeline_state where key in (${inClause(chunk)})`,
        ...chunk,
      )),
    );
  return parseEntries(rows);
}

const upsert = 'on conflict (key) do update set body = excluded.body';

export const writeEntries = (
  tx: Transaction,
  entries: readonly (readonly [key: string, value: unknown])[],
): Promise<void> =>
  tx.insert(
    'pipeline_state',
    entries.map(([key, value]) => ({ key, body: JSON.stringify(value) })),
    upsert,
  );

export const writeVersion = (tx: Transaction, version: string): Promise<void> =>
  tx.insert('pipeline_state', [{ key: VERSION, body: version }], upsert);
