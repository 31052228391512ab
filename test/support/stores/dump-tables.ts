// All rows of a store by table, in a stable order, to compare two stores.
import { canonicalJson } from '../../../src/ledger/canonical-json.ts';
import type { Store } from '../../../src/store/engine/store.ts';

/** The tables of a store, without the partitions of one. */
export const tableNames = async (store: Store): Promise<string[]> =>
  (
    await store.all<{ name: string }>(
      store.engine === 'sqlite'
        ? "select name from sqlite_master where type = 'table' order by name"
        : `select relname as name from pg_class where relnamespace = 'public'::regnamespace
           and relkind in ('r', 'p') and not relispartition order by relname`,
    )
  ).map(({ name }) => name);

export async function dumpTables(store: Store): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const name of await tableNames(store)) {
    if (['store_revision', 'sqlite_sequence'].includes(name)) continue;
    const all = await store.all<object>(`select * from ${name}`);
    rows[name] = all
      .map((row) => JSON.stringify(row, canonicalMember))
      .filter((row) => !row.includes('"key":"version"'))
      .sort();
  }
  return rows;
}

/** Objects built from grouped rows have no stable order of members: stored JSON is compared in its canonical form. */
const canonicalMember = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('{') ? canonicalJson(JSON.parse(value)) : value;
