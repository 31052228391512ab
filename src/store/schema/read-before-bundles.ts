// Reads the ledger of a store that the file 011_bundles has not been applied to, such as the backup of 1.0.0 that is
// checked before it is restored: its entries and tiles are where that file would have moved them.
import type { Reader } from '../engine/store.ts';
import { migrationStatus } from './migrate.ts';

const empty = (table: string, columns: string) =>
  `(select ${columns} from schema_migrations where 1 = 0) as ${table}`;

const sources: Record<string, string> = {
  ledger_bundles: empty('ledger_bundles', '0 as idx, null as entries'),
  ledger_entries: empty('ledger_entries', '0 as leaf, null as type, null as id, null as payload'),
  ledger_tiles: empty('ledger_tiles', '0 as level, 0 as idx, null as hashes'),
  entries_of_1_0: 'ledger_entries',
  tiles_of_1_0: 'ledger_tiles',
};
const names = new RegExp(`\\b(${Object.keys(sources).join('|')})\\b`, 'g');
const translate = (sql: string): string => sql.replace(names, (name) => sources[name] ?? name);

/** The store itself if it has bundles. */
export async function readLedgerOfAnyVersion(store: Reader): Promise<Reader> {
  const { checks } = await migrationStatus(store);
  if (checks.find(({ key }) => key === '011_bundles')?.applied) return store;
  return {
    all: (sql, ...params) => store.all(translate(sql), ...params),
    get: (sql, ...params) => store.get(translate(sql), ...params),
  };
}
