// Where a test's store is: a folder for SQLite, a database for PostgreSQL. `npm test` provides a server; a file run on
// its own uses TEST_DATABASE_URL, or skips the PostgreSQL half.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { databaseUrl } from './postgres-admin.ts';
import { storesFolder } from './run-folder.ts';
import { type Contents, copySqlite, createDatabase, releaseDatabase } from './templates.ts';

interface ScratchDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Where a store has its data: a folder, and a database if the engine is PostgreSQL. */
export interface StorePlace {
  databaseUrl: string | undefined;
  dataDir: string;
  remove(): Promise<void>;
}

/** Makes a new place; without contents it has all tables and no rows, or is empty where there are no templates. */
export type MakePlace = (contents?: Contents) => Promise<StorePlace>;

export type Engine = 'sqlite' | 'postgres';

export const noPostgres = 'no PostgreSQL';

export function postgresUrl(): string | undefined {
  return process.env.TEST_DATABASE_URL || undefined;
}

/** A new database; with a test's context it is dropped when that test ends. */
export async function scratchDatabase(
  t?: Pick<TestContext, 'after'>,
  contents: Contents = 'empty',
): Promise<ScratchDatabase> {
  const server = postgresUrl();
  if (!server) throw new Error(noPostgres);
  const name = await createDatabase(server, contents);
  let released: Promise<void> | undefined;
  const drop = () => {
    released ??= releaseDatabase(server, name, contents);
    return released;
  };
  t?.after(drop);
  return { url: databaseUrl(server, name), drop };
}

/** Runs the same suite on both stores; without a server the PostgreSQL half is one skipped test. */
export function describeStores(title: string, body: (makePlace: MakePlace, engine: Engine) => void): void {
  describe(`${title}, on SQLite`, () => body(sqlitePlace, 'sqlite'));
  // A skipped suite would not be counted, a skipped test is.
  if (postgresUrl()) describe(`${title}, on PostgreSQL`, () => body(postgresPlace, 'postgres'));
  else test(`${title}, on PostgreSQL`, { skip: noPostgres });
}

export async function sqlitePlace(contents: Contents = 'schema'): Promise<StorePlace> {
  const place = await folderPlace();
  await copySqlite(place.dataDir, contents);
  return place;
}

export async function postgresPlace(contents: Contents = 'schema'): Promise<StorePlace> {
  const [{ dataDir, remove }, database] = await Promise.all([
    folderPlace(),
    scratchDatabase(undefined, contents),
  ]);
  return {
    databaseUrl: database.url,
    dataDir,
    remove: async () => {
      await database.drop();
      await remove();
    },
  };
}

async function folderPlace(): Promise<StorePlace> {
  const dataDir = await mkdtemp(join(storesFolder(), 'pocketwatch-test-'));
  return {
    databaseUrl: undefined,
    dataDir,
    remove: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  };
}
