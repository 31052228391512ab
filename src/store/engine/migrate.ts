// Brings a store to the schema in migrations/: one file a subject, applied together in one transaction under a lock.
// Until a release is tagged a subject's file is edited in place, so a store records the hash of each file that
// made it, and a store made by other files is refused (docs/decisions/024-one-schema-until-a-release.md).

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../domain/text/operator-error.ts';
import type { Engine, Reader, Transaction } from './store.ts';

const folder = join(import.meta.dirname, '../../../migrations');
const appendOnlyLine = /^-- append-only: (.+)$/gm;
const KEYS_SHOWN = 3;

export interface SchemaFile {
  /** The file's name without `.sql`. */
  key: string;
  sql: string;
  /** Hash of the statements; comments and white space do not count. */
  hash: string;
}

export interface MigrationStatus {
  all_applied: boolean;
  missing_count: number;
  checks: { key: string; applied: boolean }[];
}

/** The store was made by another version of the schema, which this one cannot upgrade. */
export class SchemaError extends OperatorError {
  constructor({ location, startOver }: Engine, keys: readonly string[]) {
    const more = keys.length > KEYS_SHOWN ? ` and ${keys.length - KEYS_SHOWN} more` : '';
    const differing = keys.slice(0, KEYS_SHOWN).join(', ') + more;
    super(
      `${location} has a different schema (${differing}): this version cannot upgrade it; ${startOver}, and start again`,
    );
  }
}

export const schemaFiles: readonly SchemaFile[] = readdirSync(folder)
  .filter((name) => /^\d{3}_[a-z_]+\.sql$/.test(name))
  .sort()
  .map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8');
    return { key: name.slice(0, -'.sql'.length), sql, hash: schemaHash(sql) };
  });

/** Applies the missing files, all or none; returns the keys that it applied. */
export function migrate(
  engine: Engine,
  now: number,
  files: readonly SchemaFile[] = schemaFiles,
): Promise<string[]> {
  return engine.exclusively(async (tx) => {
    await tx.run(
      'create table if not exists schema_migrations (key text primary key, applied_at bigint not null, hash text not null)',
    );
    const applied = await appliedHashes(tx);
    const expected = new Map(files.map(({ key, hash }) => [key, hash]));
    const differing = [...applied].filter(([key, hash]) => expected.get(key) !== hash).map(([key]) => key);
    if (differing.length > 0) throw new SchemaError(engine, differing.sort());
    const missing = files.filter(({ key }) => !applied.has(key));
    for (const file of missing) await apply(engine, tx, file, now);
    return missing.map(({ key }) => key);
  });
}

async function apply(engine: Engine, tx: Transaction, { key, sql, hash }: SchemaFile, now: number) {
  await tx.script(engine.adapt(sql));
  for (const table of appendOnlyTables(sql)) await tx.script(engine.appendOnly(table));
  await tx.insert('schema_migrations', [{ key, applied_at: now, hash }]);
}

export async function migrationStatus(store: Reader): Promise<MigrationStatus> {
  const applied = await appliedHashes(store).catch((error) => {
    if (/no such table|does not exist/.test(String(error.message))) return new Map<string, string>();
    throw error;
  });
  const checks = schemaFiles.map(({ key, hash }) => ({ key, applied: applied.get(key) === hash }));
  const missing_count = checks.filter((check) => !check.applied).length;
  return { all_applied: missing_count === 0, missing_count, checks };
}

/** Selects all columns because stores of the first versions have no column `hash`: their rows match no file. */
async function appliedHashes(reader: Reader): Promise<Map<string, string | undefined>> {
  const rows = await reader.all<{ key: string; hash?: string }>('select * from schema_migrations');
  return new Map(rows.map(({ key, hash }) => [key, hash]));
}

export function appendOnlyTables(sql: string): string[] {
  return [...sql.matchAll(appendOnlyLine)].flatMap(([, tables = '']) => tables.split(', '));
}

function schemaHash(sql: string): string {
  const statements = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  const tables = appendOnlyTables(sql).sort().join(' ');
  return createHash('sha256').update(`${statements}\n${tables}`).digest('hex');
}
