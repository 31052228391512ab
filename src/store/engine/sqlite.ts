// The engine over SQLite (node:sqlite, WAL, synchronous=FULL). Statements run synchronously; only waiting for the write
// lock is asynchronous.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { boundedClock, STEP_POLL_MS } from './clock.ts';
import { makeFolder } from './make-folder.ts';
import { schemaNumber } from './schema-files.ts';
import { Statement } from './sqlite/statement.ts';
import { errcode, isBusy, WriteLock, withoutBlocking } from './sqlite/write-lock.ts';
import {
  bumpRevision,
  type Changes,
  type Engine,
  InUseError,
  insertColumns,
  StoreError,
  type Transaction,
  type Value,
} from './store.ts';

/** Busy: others had the write lock for too long. */
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
const SQLITE_IOERR = 10;
const SQLITE_CANTOPEN = 14;
/** Primary result codes of a file that cannot be used: busy, out of memory, read-only, I/O, corrupt, not opened, no database. */
const UNAVAILABLE = new Set([SQLITE_BUSY, 7, 8, SQLITE_IOERR, 11, SQLITE_CANTOPEN, 26]);
/** The index of the write-ahead log, which every connection needs, is made of pieces of this size. */
const LEAST_FREE_BYTES = 32 * 1024;
/** Corrupt, and no database. */
const DAMAGED = new Set([11, 26]);

/**
 * Reads and writes have a connection each, so that a read never sees an uncommitted transaction.
 * The writer tries for the lock without blocking and retries, so that SQLite never blocks the event loop.
 */
export function openSqlite(path: string, schema = schemaNumber): Engine {
  makeFolder(dirname(path));
  const damage: Damage = { folder: dirname(path) };
  const noticing = (statement: Promise<void>): Promise<void> =>
    statement.catch((error) =>
      noticeDamage(damage, () => {
        throw error;
      }),
    );
  const lock = new WriteLock(path);
  const connectBoth = () => ({ writer: connectWriter(path, damage), reader: connect(path, damage) });
  let connections: ReturnType<typeof connectBoth> | undefined = connectBoth();
  const connected = () => {
    connections ??= connectBoth();
    return connections;
  };
  const disconnect = () => {
    connections?.reader.database.close();
    connections?.writer.database.close();
    connections = undefined;
  };
  let queue: Promise<unknown> = Promise.resolve();
  const wallClock = boundedClock();
  const clock = async () => wallClock();
  const stepPoll = setInterval(wallClock, STEP_POLL_MS).unref();

  const inTransaction = async <T>(
    work: (tx: Transaction) => Promise<T>,
    changes?: Changes,
    { writer }: { writer: Connection } = connected(),
  ): Promise<T> => {
    // Nothing is acknowledged that a damaged file may not keep; what can still be read is.
    if (damage.found) throw new StoreError('unavailable', { cause: damage.found });
    await noticing(lock.begin(() => writer.database.exec('begin immediate')));
    try {
      const result = await work({ ...writer, clock });
      if (changes && !(await writer.get(bumpRevision(changes, schema)))) throw new StoreError('upgraded');
      noticeDamage(damage, () => writer.database.exec('commit'));
      return result;
    } catch (error) {
      if (writer.database.isTransaction) writer.database.exec('rollback');
      throw error;
    }
  };
  /** Runs after the tasks before it, failed or not: there is one writing connection. */
  const runInOrder = <T>(task: () => Promise<T>): Promise<T> => {
    const result = queue.then(task, task);
    queue = result.catch(() => undefined);
    return result;
  };

  /** Holds the lock of the whole file meanwhile, which nobody gets while another connection is open. */
  const inTransactionAlone = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    disconnect();
    const writer = connectAlone(path, damage);
    try {
      return await inTransaction(work, undefined, { writer });
    } finally {
      writer.database.close();
    }
  };

  return {
    engine: 'sqlite',
    all: (sql, ...params) => connected().reader.all(sql, ...params),
    get: (sql, ...params) => connected().reader.get(sql, ...params),
    transaction: (work, changes = 'anything') => runInOrder(() => inTransaction(work, changes)),
    clock,
    exclusively: (work, { alone = false } = {}) =>
      runInOrder(() => (alone ? inTransactionAlone(work) : inTransaction(work))),
    adapt: (sql) =>
      sql.replaceAll('/* clustered */', 'without rowid').replaceAll(/\/\* sqlite:\s(.+?) \*\//gs, '$1'),
    appendOnly: (table, removable) => {
      const refuse = (verb: 'update' | 'delete', unless = '') => `
        drop trigger if exists ${table}_no_${verb};
        create trigger ${table}_no_${verb} before ${verb} on ${table} ${unless && `when not (${unless})`}
        begin select raise(abort, '${table} is append-only'); end;`;
      return refuse('update') + refuse('delete', removable);
    },
    location: `the store in ${dirname(path)}`,
    startOver: 'move the folder away or set DATA_DIR to another',
    close: async () => {
      clearInterval(stepPoll);
      await queue;
      disconnect();
      lock.close();
    },
    vacuum: () =>
      runInOrder(async () => {
        const { database } = connected().writer;
        await noticing(withoutBlocking(() => database.exec('vacuum')));
        // The log has the whole file once more; readers may keep it from being emptied until they close.
        database.exec('pragma wal_checkpoint(truncate)');
      }),
    findDamage: async () => {
      try {
        const { quick_check: found } =
          (await connected().reader.get<{ quick_check: string }>('pragma quick_check(1)')) ?? {};
        if (found !== 'ok') damage.found ??= new Error(`the file is damaged: ${found}`);
      } catch (error) {
        // The check itself fails on a file that is damaged enough.
        if (!damage.found) throw error;
      }
      return damage.found?.message;
    },
    reportDamage: (message) => {
      damage.found ??= new Error(message);
    },
    get damage() {
      return damage.found?.message;
    },
  };
}

function connectWriter(path: string, damage: Damage) {
  const writer = connect(path, damage);
  writer.database.exec('pragma busy_timeout = 0');
  return writer;
}

function connect(path: string, damage: Damage) {
  const database = noticeDamage(damage, () => {
    const opened = new DatabaseSync(path, { timeout: 5_000 });
    opened.exec(setUp);
    return opened;
  });
  return queriesOn(database, damage);
}

/** A connection beside which there can be no other. */
function connectAlone(path: string, damage: Damage): Connection {
  const opened = new DatabaseSync(path, { timeout: 0 });
  try {
    opened.exec(`pragma locking_mode = exclusive; begin exclusive; rollback; ${setUp}`);
    return queriesOn(opened, damage);
  } catch (error) {
    opened.close();
    if (!isBusy(error)) throw error;
    throw new InUseError(
      `another process has the store in ${dirname(path)} open: stop it, make a backup, and start again`,
    );
  }
}

// Up to six connections (answers, heavy answers and pipeline read and write) have a cache each: with 64 MiB a service of
// a month's history grew to 700 MB. Pages that are not cached come from the system's own cache of the file.
const setUp =
  'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16384';

type Connection = ReturnType<typeof queriesOn>;

function queriesOn(database: DatabaseSync, damage: Damage) {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = new Statement(database, sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const insert: Transaction['insert'] = async (table, rows, conflict = '') => {
    if (!rows.length) return;
    const columns = insertColumns(rows);
    const placeholders = columns.map(() => '?').join(', ');
    const statement = prepare(
      `insert into ${table} (${columns.join(', ')}) values (${placeholders}) ${conflict}`,
    );
    noticeDamage(damage, () => {
      // By name: rows may have their columns in different orders.
      for (const row of rows)
        statement.run(columns.map((column) => (row as Record<string, Value>)[column] as Value));
    });
  };
  return {
    database,
    all: async <T>(sql: string, ...params: Value[]) =>
      noticeDamage(damage, () => prepare(sql).all<T>(params)),
    get: async <T>(sql: string, ...params: Value[]) =>
      noticeDamage(damage, () => prepare(sql).get<T>(params)),
    run: async (sql: string, ...params: Value[]) => noticeDamage(damage, () => prepare(sql).run(params)),
    script: async (sql: string) => noticeDamage(damage, () => database.exec(sql)),
    insert,
    // Transactions of this engine run one at a time.
    tryLock: async () => true,
  };
}

/** What was found to be wrong with the file, by a check or by a statement that failed. */
interface Damage {
  /** Of the file. */
  folder: string;
  found?: Error;
}

/** Runs a statement; a failure of the disk or the file is reported as a full or an unavailable store. */
function noticeDamage<T>(damage: Damage, statement: () => T): T {
  try {
    return statement();
  } catch (error) {
    if (DAMAGED.has(errcode(error) & 0xff)) damage.found ??= error as Error;
    throw toStoreError(error, damage.folder);
  }
}

/** `folder`: that of the file. */
export function toStoreError(error: unknown, folder: string): unknown {
  const code = errcode(error) & 0xff;
  if (isFull(code, folder))
    return new StoreError('full', {
      cause: new Error(`the disk of ${folder} is full: make room there (${(error as Error).message})`, {
        cause: error,
      }),
    });
  return UNAVAILABLE.has(code) ? new StoreError('unavailable', { cause: error }) : error;
}

/** Not every write to a full disk gets the code that says so: that of the index, or one beyond a quota, does not. */
function isFull(code: number, folder: string): boolean {
  if (code === SQLITE_FULL) return true;
  if (code !== SQLITE_IOERR && code !== SQLITE_CANTOPEN) return false;
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}
