// Upgrades a store to the schema of this program: applies the files of migrations/ that it lacks, all or none, while the
// row of schema_lock is claimed. A store records the hash of each file that was applied, so that one made by other files
// is refused (docs/decisions/070-stores-are-upgraded-in-place.md).

import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../domain/text/operator-error.ts';
import {
  appendOnlyTables,
  fileNumber,
  isAppliedAlone,
  newestNumber,
  readableFrom,
  type SchemaFile,
  schemaFiles,
} from '../engine/schema-files.ts';
import { type Engine, InUseError, type Reader, type Transaction } from '../engine/store.ts';
import type { BatchedChange } from './batched-change.ts';
import { batchedChanges, recordBatches } from './batches.ts';
import { makeMonthsIn } from './months.ts';

const KEYS_SHOWN = 3;
const IN_USE_TIMEOUT_MS = 10_000;
/** The file from which on a store has a number. */
const FIRST_NUMBERED = 10;

export interface MigrationStatus {
  all_applied: boolean;
  missing_count: number;
  checks: { key: string; applied: boolean }[];
}

/** The store was made by files that no released version has, or upgraded by a newer version. */
export class SchemaError extends OperatorError {}

export interface SchemaChanges {
  files?: readonly SchemaFile[];
  batches?: readonly BatchedChange[];
  /** How long to wait for other processes to leave the store: those that start at the same time take turns. */
  inUseTimeoutMs?: number;
}

/** Applies the missing files, all or none; returns the keys that it applied. */
export async function migrate(engine: Engine, now: number, changes: SchemaChanges = {}): Promise<string[]> {
  const deadline = performance.now() + (changes.inUseTimeoutMs ?? IN_USE_TIMEOUT_MS);
  for (;;) {
    try {
      return await tryMigrate(engine, now, changes);
    } catch (error) {
      if (!(error instanceof InUseError) || performance.now() > deadline) throw error;
    }
    await delay(20 + 80 * Math.random());
  }
}

async function tryMigrate(
  engine: Engine,
  now: number,
  { files = schemaFiles, batches = batchedChanges }: SchemaChanges,
): Promise<string[]> {
  const missing = await findMissing(engine, engine, files);
  if (missing.length === 0) return [];
  // A new store has no other users: whoever comes later waits for the claim.
  const alone = missing.length < files.length && missing.some(isAppliedAlone);
  return engine.exclusively(
    async (tx) => {
      // Another process may have applied them since they were looked for.
      const left = await findMissing(engine, tx, files);
      if (left.length === 0) return [];
      await tx.run(
        'create table if not exists schema_migrations (key text primary key, applied_at bigint not null, hash text not null)',
      );
      for (const file of left) await apply(engine, tx, file, now);
      if (newestNumber(files) >= FIRST_NUMBERED) {
        await tx.run(recordNumber(files));
        await recordBatches(tx, batches, now);
        if (engine.engine === 'postgres') await makeMonthsIn(tx);
      }
      return left.map(({ key }) => key);
    },
    { alone },
  );
}

/** The files that were not applied yet; throws if the store has others than these. */
export async function findMissing(
  engine: Engine,
  reader: Reader,
  files: readonly SchemaFile[] = schemaFiles,
): Promise<SchemaFile[]> {
  // A statement that fails would end the transaction of PostgreSQL.
  const applied = (await reader.get(hasMigrations[engine.engine])) ? await appliedHashes(reader) : new Map();
  const expected = new Map(files.map(({ key, hash }) => [key, hash]));
  const differing = [...applied].filter(([key, hash]) => expected.get(key) !== hash).map(([key]) => key);
  const own = newestNumber(files);
  const newer = differing.filter((key) => fileNumber(key) > own);
  if (differing.length > 0 && newer.length === differing.length) throw newerStore(engine, newer, own);
  if (differing.length > 0) throw otherStore(engine, differing.sort());
  return files.filter(({ key }) => !applied.has(key));
}

const hasMigrations = {
  sqlite: "select 1 from sqlite_master where name = 'schema_migrations'",
  postgres: "select 1 where to_regclass('schema_migrations') is not null",
};

const newerStore = ({ location }: Engine, keys: readonly string[], own: number) =>
  new SchemaError(
    `${location} was upgraded to schema ${Math.max(...keys.map(fileNumber))} by a newer version, and this one knows schema ${own}: start the newer version, or restore a backup made before the upgrade`,
  );

function otherStore({ location, startOver }: Engine, keys: readonly string[]): SchemaError {
  const more = keys.length > KEYS_SHOWN ? ` and ${keys.length - KEYS_SHOWN} more` : '';
  const differing = keys.slice(0, KEYS_SHOWN).join(', ') + more;
  return new SchemaError(
    `${location} has a different schema (${differing}): no released version made it, so it cannot be upgraded; ${startOver}, and start again`,
  );
}

async function apply(engine: Engine, tx: Transaction, file: SchemaFile, now: number): Promise<void> {
  await tx.script(engine.adapt(file.sql));
  for (const { table, removable } of appendOnlyTables(file))
    await tx.script(engine.appendOnly(table, removable));
  await tx.insert('schema_migrations', [{ key: file.key, applied_at: now, hash: file.hash }]);
}

/** From then on processes of older versions write nothing. */
export const recordNumber = (files: readonly SchemaFile[]): string =>
  `update store_revision set schema_number = ${newestNumber(files)}, readable_from = ${Math.max(...files.map(readableFrom))}`;

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
