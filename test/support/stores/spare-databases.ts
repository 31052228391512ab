// Databases that a test has given back, for the next test of the process: emptying one takes a fraction of the time
// that creating one takes.
import { readFileSync, writeFileSync } from 'node:fs';
import { Client, escapeIdentifier } from 'pg';
import { schemaFiles } from '../../../src/store/engine/schema-files.ts';
import { recordNumber } from '../../../src/store/schema/migrate.ts';

const spare: string[] = [];

export const takeSpareDatabase = (): string | undefined => spare.pop();

/** What a test may change of the schema, in one hash; the tables of `schema_migrations` included. */
const describeSchema = `
  select md5(string_agg(line, ' ' order by line)) as hash from (
    select concat_ws(' ', relname, relkind) as line from pg_class where relnamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', relname, attname, atttypid, attnotnull) from pg_attribute
      join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
    union all
    select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger
    union all
    select concat_ws(' ', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', key, hash, applied_at) from schema_migrations
  ) lines`;

/** The rows that the schema begins with. */
const firstRows = [
  ...schemaFiles.flatMap(({ sql }) => sql.match(/^insert into .*;$/gm) ?? []),
  `${recordNumber(schemaFiles)};`,
];

/** Writes down what the schema of a new database looks like, in `file`. */
export const recordSchema = (url: string, file: string): Promise<void> =>
  withClient(url, async (client) => writeFileSync(file, await readSchemaHash(client)));

/** Empties the database and keeps it; false if it is of no further use, such as one whose schema a test has changed. */
export async function keepDatabase(name: string, url: string, file: string): Promise<boolean> {
  try {
    await withClient(url, async (client) => {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      if ((await readSchemaHash(client)) !== readFileSync(file, 'utf8')) throw new Error('another schema');
      const filled = await filledTables(client);
      // Without the triggers that refuse to change a ledger.
      await client.query(`begin; set local session_replication_role = replica;
        truncate ${filled.join(', ')}; ${firstRows.join(' ')} commit`);
    });
  } catch {
    return false;
  }
  spare.push(name);
  return true;
}

async function readSchemaHash(client: Client): Promise<string> {
  return (await client.query<{ hash: string }>(describeSchema)).rows[0]?.hash ?? '';
}

/** Those with rows, and there are always some: the first rows. */
async function filledTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('schema_migrations', 'schema_lock', 'schema_batches')",
  );
  const tables = rows.map(({ name }) => escapeIdentifier(name));
  const found = await client.query<boolean[]>({
    text: `select ${tables.map((table) => `exists (select from ${table})`).join(', ')}`,
    rowMode: 'array',
  });
  return tables.filter((_, n) => found.rows[0]?.[n]);
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
