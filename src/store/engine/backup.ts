// Copies a whole store while it is in use, and puts a copy into an empty place. SQLite has an online backup; for
// PostgreSQL its own programs pg_dump and pg_restore are run.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, globSync } from 'node:fs';
import { copyFile, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { OperatorError } from '../../domain/text/operator-error.ts';
import { makeFolder } from './make-folder.ts';
import { type StoreSettings, sqliteFile } from './open.ts';
import { openPostgres, pipelineTimeouts, SESSION_NAME } from './postgres.ts';
import { serverAddresses, splitHosts } from './servers/addresses.ts';
import { toStoreError } from './servers/server-errors.ts';
import { refuseStandby } from './servers/server-pool.ts';
import { toStoreError as toSqliteStoreError } from './sqlite.ts';
import { type Reader, StoreError, type Value } from './store.ts';

/** A copy that cannot be made or used, in words for the operator. */
export class BackupError extends OperatorError {}

/** The newest checkpoint of a store's ledger, as a signed note; undefined while the ledger is empty. */
type Checkpoint = string | undefined;

export interface StoreBackup {
  /** Writes a consistent copy; returns the newest checkpoint that is in it. */
  backup(file: string): Promise<Checkpoint>;
  /** Refuses unless the place is empty. When `check` throws, the place is empty again. */
  restore(file: string, check: CheckCopy): Promise<void>;
}

/** Throws when what was restored is not the expected store. */
type CheckCopy = (newest: Checkpoint, store: Reader) => Promise<void>;

/** `environment` is that of the programs, which find a password file or a certificate by it. */
export function storeBackup(
  { databaseUrl, dataDir }: StoreSettings,
  environment: NodeJS.ProcessEnv,
): StoreBackup {
  if (databaseUrl === 'none') throw new StoreError('not_configured');
  return databaseUrl ? postgresBackup(databaseUrl, environment) : sqliteBackup(sqliteFile(dataDir));
}

const newestCheckpoint = 'select note from ledger_checkpoints order by size desc limit 1';
/** Pages of one step: all of them. Between two steps another process may write, and the copy would begin anew. */
const ALL_PAGES = 2 ** 31 - 1;

function sqliteBackup(path: string): StoreBackup {
  return {
    backup: async (file) => {
      if (!existsSync(path)) throw new BackupError(`there is no store at ${path}; check DATA_DIR`);
      return writeAtomically(file, async (draft) => {
        await copyPages(path, draft);
        return checkCopy(draft);
      });
    },
    restore: async (file, check) => {
      for (const used of [path, `${path}-wal`])
        if (existsSync(used)) throw new BackupError(`${used} exists: restore into an empty DATA_DIR`);
      makeFolder(dirname(path));
      await writeAtomically(path, async (draft) => {
        await copyFile(file, draft, constants.COPYFILE_FICLONE);
        const newest = checkCopy(draft);
        const copy = new DatabaseSync(draft, { readOnly: true });
        try {
          await check(newest, createReader(copy));
        } finally {
          copy.close();
        }
      });
    },
  };
}

async function copyPages(path: string, draft: string): Promise<void> {
  const source = new DatabaseSync(path, { timeout: 5_000 });
  try {
    // Alone, so that what fails to be read is told from what fails to be written.
    source.prepare('select count(*) from sqlite_schema').get();
  } catch (error) {
    source.close();
    throw toSqliteStoreError(error, dirname(path));
  }
  try {
    await backup(source, draft, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
}

/** Checks a copy of a SQLite store and makes it one file without a write-ahead log. */
function checkCopy(path: string): Checkpoint {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = delete');
    const result = database.prepare('pragma quick_check').get() as { quick_check: string };
    if (result.quick_check !== 'ok') throw new BackupError(`the copy is damaged: ${result.quick_check}`);
    return (database.prepare(newestCheckpoint).get() as { note: string } | undefined)?.note;
  } catch (error) {
    if (error instanceof BackupError || isOutOfRoom(error)) throw error;
    throw new BackupError(`not a store of this service: ${(error as Error).message}`);
  } finally {
    database.close();
  }
}

const createReader = (database: DatabaseSync): Reader => ({
  all: async <T>(sql: string, ...params: Value[]) => database.prepare(sql).all(...params) as T[],
  get: async <T>(sql: string, ...params: Value[]) => database.prepare(sql).get(...params) as T | undefined,
});

function postgresBackup(given: string, environment: NodeJS.ProcessEnv): StoreBackup {
  /** Programs and client must ask the same server. */
  const onServer = async <T>(work: (client: pg.Client, server: OneServer) => Promise<T>): Promise<T> => {
    const url = await writableAddress(given);
    const { address, password } = splitPassword(url);
    // In the arguments every user of the machine could read the password.
    const env = { ...environment, ...(password && { PGPASSWORD: password }) };
    return withClient(url, (client) => work(client, { url, address, env }));
  };
  return {
    backup: (file) =>
      writeAtomically(file, (draft) =>
        onServer(async (client, { address, env }) => {
          // pg_dump reads the same snapshot as the query, so the checkpoint is exactly the newest in the copy.
          await client.query('begin isolation level repeatable read read only');
          const snapshot = await client.query<{ id: string }>('select pg_export_snapshot() as id');
          const newest = await client.query<{ note: string }>(newestCheckpoint);
          await runProgram(
            'pg_dump',
            [
              '--format=custom',
              `--snapshot=${snapshot.rows[0]?.id}`,
              `--file=${draft}`,
              `--dbname=${address}`,
            ],
            env,
          );
          return newest.rows[0]?.note;
        }),
      ),
    restore: (file, check) =>
      onServer(async (client, { url, address, env }) => {
        const { rows } = await client.query<{ name: string }>(
          `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
           where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' limit 1`,
        );
        if (rows[0])
          throw new BackupError(
            `the database has tables (${rows[0].name}): set DATABASE_URL to an empty database`,
          );
        await runProgram(
          'pg_restore',
          [
            '--no-owner',
            '--no-privileges',
            '--exit-on-error',
            '--single-transaction',
            `--dbname=${address}`,
            file,
          ],
          env,
        );
        // Only what the database has can be read in SQL: it is there before it is checked, and dropped if it is refused.
        try {
          await checkRestored(url, check);
        } catch (error) {
          await dropTables(client);
          throw error;
        }
      }),
  };
}

async function checkRestored(url: string, check: CheckCopy): Promise<void> {
  const store = openPostgres(url, pipelineTimeouts, { readConnections: 1 });
  try {
    await check((await store.get<{ note: string }>(newestCheckpoint))?.note, store);
  } finally {
    await store.close();
  }
}

/** The database had no tables before, so all that it has came with the copy. */
async function dropTables(client: pg.Client): Promise<void> {
  const own = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;
  const { rows } = await client.query<{ command: string }>(
    `select 'drop table ' || c.oid::regclass || ' cascade' as command
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and ${own}
     union all
     select 'drop function ' || p.oid::regprocedure || ' cascade'
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prorettype = 'trigger'::regtype and ${own}`,
  );
  await client.query(rows.map(({ command }) => command).join('; '));
}

interface OneServer {
  url: string;
  /** The same without the password. */
  address: string;
  env: NodeJS.ProcessEnv;
}

/** Of several servers that an address names, that of the first one that takes writes. */
async function writableAddress(given: string): Promise<string> {
  const addresses = splitHosts(given) ?? [given];
  let failure: unknown;
  for (const address of addresses) {
    if (addresses.length === 1) return address;
    try {
      await withClient(address, refuseStandby);
      return address;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const [connectionString = url] = serverAddresses(url) ?? [];
  const client = new pg.Client({ connectionString, application_name: SESSION_NAME });
  // A connection that breaks fails the query under way; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await client.end();
  }
}

function splitPassword(url: string): { address: string; password: string } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  return { address: address.href, password };
}

/** Runs a program of PostgreSQL's from the PATH, or else the newest one that is installed beside a server. */
async function runProgram(name: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const version = (path: string) => Number.parseFloat(/\d[\d.]*/.exec(path)?.[0] ?? '0');
  const installed = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin']
    .flatMap((pattern) => globSync(join(pattern, name)))
    .sort((a, b) => version(b) - version(a));
  for (const program of [name, ...installed]) {
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    try {
      const [code] = await once(child, 'close');
      if (code === 0) return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    throw new BackupError(errors.trim().split('\n').slice(0, 2).join('; ') || `${name} failed`);
  }
  throw new BackupError(`${name} was not found: install the client programs of PostgreSQL`);
}

/** Writes a file under another name first, so that `file` is complete as soon as it exists. Only its owner can read it. */
async function writeAtomically<T>(file: string, write: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${file}.partial`;
  await rm(draft, { force: true });
  await writeFile(draft, '', { mode: 0o600, flag: 'wx' });
  try {
    const result = await write(draft);
    const handle = await open(draft, 'r+');
    await handle.sync();
    await handle.close();
    await rename(draft, file);
    return result;
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    throw new BackupError(
      `the disk of ${dirname(file)} is full: make room there; nothing of ${file} is left`,
    );
  } finally {
    for (const ending of ['', '-wal', '-shm']) await rm(`${draft}${ending}`, { force: true });
  }
}

/** As the system, SQLite and PostgreSQL's programs say it. */
const isOutOfRoom = (error: unknown): boolean =>
  /ENOSPC|database or disk is full|No space left on device/.test((error as Error).message);
