// The table of the pipeline's state, of each district. Its row `version` is the lock, and tells workers whether their
// cache is current.
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

const VERSION = 'version';

/** The version of a district's state, locked until the transaction ends. */
export async function lockState(tx: Transaction, district: string): Promise<string> {
  const row = await tx.get<{ body: string }>(
    `insert into pipeline_state (district, key, body) values (?, ?, '')
     on conflict (district, key) do update set body = pipeline_state.body returning body`,
    district,
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
export async function readState(store: Reader, district: string, most: number): Promise<Entries | null> {
  const row = await store.get<{ count: number }>(
    'select count(*) as count from pipeline_state where district = ?',
    district,
  );
  if ((row?.count ?? 0) - 1 > most) return null;
  return parseEntries(
    await store.all<Entry>(
      'select key, body from pipeline_state where district = ? and key <> ?',
      district,
      VERSION,
    ),
  );
}

/** The entries of these keys that exist. */
export async function readEntries(
  store: Reader,
  keys: readonly string[],
  district = WHOLE_CITY,
): Promise<Entries> {
  const rows: Entry[] = [];
  for (const chunk of inClauseChunks(keys))
    rows.push(
      ...(await store.all<Entry>(
        `select key, body from pipeline_state where district = ? and key in (${inClause(chunk)})`,
        district,
        ...chunk,
      )),
    );
  return parseEntries(rows);
}

const upsert = 'on conflict (district, key) do update set body = excluded.body';

export const writeEntries = (
  tx: Transaction,
  entries: readonly (readonly [key: string, value: unknown])[],
  district = WHOLE_CITY,
): Promise<void> =>
  tx.insert(
    'pipeline_state',
    entries.map(([key, value]) => ({ district, key, body: JSON.stringify(value) })),
    upsert,
  );

export const writeVersion = (tx: Transaction, version: string, district: string): Promise<void> =>
  tx.insert('pipeline_state', [{ district, key: VERSION, body: version }], upsert);
