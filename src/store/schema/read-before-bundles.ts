// Reads the ledger of a store of an older schema, such as the backup of 1.0.0 that is checked before it is restored: its
// entries and tiles are where the file 011_bundles would have moved them, and nothing of it is archived.
import type { Reader } from '../engine/store.ts';
import { migrationStatus } from './migrate.ts';

const empty = (table: string, columns: string) =>
  `(select ${columns} from schema_migrations where 1 = 0) as ${table}`;

const beforeBundles: Record<string, string> = {
  ledger_bundles: empty('ledger_bundles', '0 as idx, null as entries'),
  ledger_entries: empty('ledger_entries', '0 as leaf, null as type, null as id, null as payload'),
  ledger_tiles: empty('ledger_tiles', '0 as level, 0 as idx, null as hashes'),
  entries_of_1_0: 'ledger_entries',
  tiles_of_1_0: 'ledger_tiles',
};
const beforeArchives = {
  archived_bundles: empty('archived_bundles', '0 as number, 0 as bundles, 0 as rows_from, null as place'),
};

/** The store itself if it has all tables of the ledger. */
export async function readLedgerOfAnyVersion(store: Reader): Promise<Reader> {
  const { checks } = await migrationStatus(store);
  const lacks = (file: string) => !checks.find(({ key }) => key.endsWith(file))?.applied;
  const sources: Record<string, string> = {
    ...(lacks('_bundles') && beforeBundles),
    ...(lacks('_archived_months') && beforeArchives),
  };
  if (Object.keys(sources).length === 0) return store;
  const names = new RegExp(`\\b(${Object.keys(sources).join('|')})\\b`, 'g');
  const translate = (sql: string): string => sql.replace(names, (name) => sources[name] ?? name);
  return {
    all: (sql, ...params) => store.all(translate(sql), ...params),
    get: (sql, ...params) => store.get(translate(sql), ...params),
  };
}
