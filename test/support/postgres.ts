// PostgreSQL for tests. `npm test` provides a server; a file run on its own uses TEST_DATABASE_URL or does without.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Client, escapeIdentifier } from 'pg';

export interface ScratchDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Where a store keeps its data: a folder, and a database when it is PostgreSQL's turn. */
export interface StorePlace {
  databaseUrl: string | undefined;
  dataDir: string;
  remove(): Promise<void>;
}

export type Engine = 'sqlite' | 'postgres';

export const noPostgres = 'no PostgreSQL';

export function postgresUrl(): string | undefined {
  return process.env.TEST_DATABASE_URL || undefined;
}

/** A new, empty database; with a test's context it is dropped when that test ends. */
export async function scratchDatabase(t?: Pick<TestContext, 'after'>): Promise<ScratchDatabase> {
  const server = postgresUrl();
  if (!server) throw new Error(noPostgres);
  const name = `pocketwatch_${randomBytes(8).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await onServer(server, `create database ${escapeIdentifier(name)}`);
  const drop = () => onServer(server, `drop database if exists ${escapeIdentifier(name)} with (force)`);
  t?.after(drop);
  return { url: url.href, drop };
}

/** Runs the same suite on both stores; without a server the PostgreSQL half is one skipped test. */
export function describeStores(
  title: string,
  body: (makePlace: () => Promise<StorePlace>, engine: Engine) => void,
): void {
  describe(`${title}, on SQLite`, () => body(sqlitePlace, 'sqlite'));
  // A skipped suite would not be counted, a skipped test is.
  if (postgresUrl()) describe(`${title}, on PostgreSQL`, () => body(postgresPlace, 'postgres'));
  else test(`${title}, on PostgreSQL`, { skip: noPostgres });
}

export async function sqlitePlace(): Promise<StorePlace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pocketwatch-test-'));
  return { databaseUrl: undefined, dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

async function postgresPlace(): Promise<StorePlace> {
  const [{ dataDir, remove }, database] = await Promise.all([sqlitePlace(), scratchDatabase()]);
  return {
    databaseUrl: database.url,
    dataDir,
    remove: async () => {
      await database.drop();
      await remove();
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
