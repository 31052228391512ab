import { existsSync } from 'node:fs';
import { readConfig } from '../../../config.ts';
import { sqliteFile } from '../../../store/engine/open.ts';
import {
  isAppliedAlone,
  newestNumber,
  type SchemaFile,
  subject,
} from '../../../store/engine/schema-files.ts';
import type { Engine } from '../../../store/engine/store.ts';
import { batchUnderWay, runBatches } from '../../../store/schema/batches.ts';
import { findMissing, migrate, migrationStatus } from '../../../store/schema/migrate.ts';
import { type Command, print, readOptions, say } from '../../runtime/command.ts';
import { openConfiguredStore } from '../../runtime/open.ts';

export const migrateCommand: Command = {
  usage: `pocketwatch migrate [--dry-run]

Upgrades the store to the schema of this version: applies the missing files of migrations/, all or none, and then makes
the changes of many rows, in batches. It can be stopped and started again, and several processes may do it at once. Every
other command applies the files when it starts, and a running service makes the batches. Make a backup first (pocketwatch
backup FILE): an older version cannot open the store afterwards.

  --dry-run   say what would be done, and change nothing`,
  run: async (args) => {
    const { 'dry-run': isDryRun } = readOptions(args, { 'dry-run': { type: 'boolean' } });
    const config = readConfig(process.env);
    // To open it would make it.
    if (isDryRun && !config.DATABASE_URL && !existsSync(sqliteFile(config.DATA_DIR)))
      return print(`there is no store in ${config.DATA_DIR} yet: it would be made`);
    const store = openConfiguredStore(config);
    try {
      await (isDryRun ? foretell(store) : upgrade(store));
    } finally {
      await store.close();
    }
  },
};

async function upgrade(store: Engine): Promise<void> {
  const applied = await migrate(store, Date.now());
  await runBatches(store, {
    clock: Date.now,
    pauseMs: 0,
    onBatch: ({ key, done, total }) => say(`${key}: ${done} of ${total} rows`),
  });
  say(applied.length ? `applied ${applied.join(', ')}` : 'up to date');
}

async function foretell(store: Engine): Promise<void> {
  const missing = await findMissing(store, store);
  const isNew = (await migrationStatus(store)).checks.every(({ applied }) => !applied);
  const left = isNew || missing.length > 0 ? undefined : await batchUnderWay(store);
  if (missing.length === 0 && !left) return print(`${store.location} is up to date; nothing would be done`);
  if (isNew)
    return print(`${store.location} is new: its tables would be made (schema ${newestNumber(missing)})`);
  print(`${store.location} would be upgraded:`);
  for (const file of missing) print(`  ${file.key}: ${subject(file)}`);
  if (left) print(`  ${left.key}: ${left.total - left.done} of ${left.total} rows are left to be changed`);
  for (const line of advice(missing)) print(line);
}

function* advice(missing: readonly SchemaFile[]): Generator<string> {
  if (missing.some(isAppliedAlone)) yield 'Stop every other process of the service first.';
  yield 'Make a backup first: pocketwatch backup FILE. An older version cannot open the store afterwards.';
}
