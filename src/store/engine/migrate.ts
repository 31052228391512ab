import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, Reader, Transaction } from './store.ts';

const folder = join(import.meta.dirname, '../../../migrations');
const directive = /^-- append-only: (.+)$/gm;

export interface MigrationStatus {
  all_applied: boolean;
  missing_count: number;
  checks: { key: string; applied: boolean }[];
}

export const migrationKeys = (): string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{3}_[a-z_]+\.sql$/.test(name))
    .sort()
    .map((name) => name.slice(0, -'.sql'.length));

/** Applies what is missing, all or nothing; answers the keys that it applied. */
export function migrate(engine: Engine, now: number): Promise<string[]> {
  return engine.exclusively(async (tx) => {
    await tx.run(
      'create table if not exists schema_migrations (key text primary key, applied_at bigint not null)',
    );
    const applied = await appliedKeys(tx);
    const missing = migrationKeys().filter((key) => !applied.has(key));
    for (const key of missing) await apply(engine, tx, key, now);
    return missing;
  });
}

async function apply(engine: Engine, tx: Transaction, key: string, now: number): Promise<void> {
  const sql = readFileSync(join(folder, `${key}.sql`), 'utf8');
  await tx.script(engine.adapt(sql));
  const ledgers = [...sql.matchAll(directive)].flatMap(([, tables = '']) => tables.split(', '));
  for (const table of ledgers) await tx.script(engine.appendOnly(table));
  await tx.run('insert into schema_migrations (key, applied_at) values (?, ?)', key, now);
}

export async function migrationStatus(store: Reader): Promise<MigrationStatus> {
  const applied = await appliedKeys(store).catch((error) => {
    if (/no such table|does not exist/.test(String(error.message))) return new Set<string>();
    throw error;
  });
  const checks = migrationKeys().map((key) => ({ key, applied: applied.has(key) }));
  const missing_count = checks.filter((check) => !check.applied).length;
  return { all_applied: missing_count === 0, missing_count, checks };
}

async function appliedKeys(reader: Reader): Promise<Set<string>> {
  const rows = await reader.all<{ key: string }>('select key from schema_migrations');
  return new Set(rows.map((row) => row.key));
}
