// Stores that many tests start from: created once per run by the first test that needs one, then copied. SQLite: a file;
// PostgreSQL: a template database. A test file that is run on its own has no run folder and fills its stores itself.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { escapeIdentifier } from 'pg';
import { openStore, type StoreSettings } from '../../../src/store/engine/open.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { databaseUrl, onServer } from './postgres-admin.ts';
import { makeRunFolder, runFolder } from './run-folder.ts';
import { keepDatabase, recordSchema, takeSpareDatabase } from './spare-databases.ts';

/** `schema`: all tables, no rows. 1: the simulated history of the day before `NOON`, of the whole city. `old ledger`: old-ledger.ts. */
export type Contents = 'empty' | 'schema' | 1 | 'old ledger';

const creating = new Map<string, Promise<void>>();

/** For the runner: the environment that makes its tests share templates, and how to remove them. */
export async function startTemplates(server: string | undefined) {
  const path = await makeRunFolder();
  return {
    env: { TEST_TEMPLATES: path },
    remove: async () => {
      if (server) await dropTemplates(server, path);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Copies the template into `dataDir`; without templates the test fills its store itself. */
export async function copySqlite(dataDir: string, contents: Contents): Promise<void> {
  const templates = runFolder();
  if (contents === 'empty' || !templates) return;
  const template = join(templates, `${contents}.sqlite`);
  await once(template, () =>
    withLock(`${template}.lock`, async () => {
      if (existsSync(template)) return;
      const scratch = await mkdtemp(join(templates, 'new-'));
      await fill({ databaseUrl: undefined, dataDir: scratch }, contents);
      await rename(join(scratch, 'pocketwatch.sqlite'), template);
    }),
  );
  await copyFile(template, join(dataDir, 'pocketwatch.sqlite'));
}

/** Creates a database on the server, from the template, and returns its name; without templates the test fills it itself. */
export async function createDatabase(server: string, contents: Contents): Promise<string> {
  const templates = runFolder();
  const name = `${templates ? basename(templates) : 'pocketwatch'}_${randomBytes(8).toString('hex')}`;
  const create = `create database ${escapeIdentifier(name)}`;
  if (!templates || contents === 'empty') {
    await onServer(server, create);
    return name;
  }
  const template = templateName(templates, contents);
  await once(template, () =>
    withLock(join(templates, `${template}.lock`), async () => {
      const named = await onServer(server, `select 1 from pg_database where datname = '${template}'`);
      if (named.length > 0) return;
      const scratch = `${template}_${randomBytes(4).toString('hex')}`;
      await onServer(server, `create database ${escapeIdentifier(scratch)}`);
      const url = databaseUrl(server, scratch);
      await fill({ databaseUrl: url, dataDir: '' }, contents);
      if (contents === 'schema') await recordSchema(url, schemaRecord(templates));
      await onServer(
        server,
        `alter database ${escapeIdentifier(scratch)} rename to ${escapeIdentifier(template)}`,
      );
    }),
  );
  const spare = contents === 'schema' ? takeSpareDatabase() : undefined;
  if (spare) return spare;
  await onServer(server, `${create} template ${escapeIdentifier(template)}`);
  return name;
}

/** Drops a database that a test has done with, or keeps it for the next one. */
export async function releaseDatabase(server: string, name: string, contents: Contents): Promise<void> {
  const templates = runFolder();
  const isKept =
    templates !== undefined &&
    contents === 'schema' &&
    (await keepDatabase(name, databaseUrl(server, name), schemaRecord(templates)));
  if (!isKept) await onServer(server, `drop database if exists ${escapeIdentifier(name)} with (force)`);
}

const schemaRecord = (templates: string) => join(templates, 'schema.hash');

/** Tests of one process that want the same template at the same time wait for one of them to make it. */
function once(name: string, make: () => Promise<void>): Promise<void> {
  const creation = creating.get(name) ?? make();
  creating.set(name, creation);
  return creation;
}

/** Runs while no other process has the lock, which is a folder: only one can make it. */
async function withLock(lock: string, make: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await delay(50);
    }
  }
  try {
    await make();
  } finally {
    await rmdir(lock);
  }
}

const templateName = (templates: string, contents: Contents) => `${basename(templates)}_${contents}`;

async function fill(settings: StoreSettings, contents: Contents): Promise<void> {
  const store = openStore(settings);
  try {
    await migrate(store, 0);
    if (contents === 'empty' || contents === 'schema') return;
    // Imported on demand: most tests do not need the pipeline.
    if (contents === 'old ledger')
      return await (await import('../services/old-ledger.ts')).writeOldLedger(store);
    const { writeHistory } = await import('../pipeline/history.ts');
    await writeHistory(store, contents);
  } finally {
    await store.close();
  }
}

async function dropTemplates(server: string, templates: string): Promise<void> {
  const named = await onServer<{ datname: string }>(server, 'select datname from pg_database');
  for (const { datname } of named.filter(({ datname }) => datname.startsWith(basename(templates))))
    await onServer(server, `drop database ${escapeIdentifier(datname)} with (force)`);
}
