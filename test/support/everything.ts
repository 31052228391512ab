// All that a store holds, so that two ways to the same place can be compared.
import type { Store } from '../../src/store/store.ts';

export async function everything(store: Store): Promise<Record<string, string[]>> {
  const tables = await store.all<{ name: string }>(
    store.engine === 'sqlite'
      ? "select name from sqlite_master where type = 'table' order by name"
      : "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    if (['store_revision', 'sqlite_sequence'].includes(name)) continue;
    const all = await store.all<object>(`select * from ${name}`);
    rows[name] = all
      .map((row) => JSON.stringify(row))
      .filter((row) => !row.includes('"key":"version"'))
      .sort();
  }
  return rows;
}
