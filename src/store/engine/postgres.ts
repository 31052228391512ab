// The engine over PostgreSQL: a pool of connections to read and one to write. Transactions run side by side;
// those that must not, take a row lock (ledger_size, operator_lock, schema_lock).
import pg from 'pg';
import { BATCH_ROWS, copyLines, type RowBatch, rowBatches } from './insert-rows.ts';
import { schemaNumber } from './schema-files.ts';
import { serverAddresses } from './servers/addresses.ts';
import { toStoreError } from './servers/server-errors.ts';
import { openServerPool, type ServerPool } from './servers/server-pool.ts';
import { statementNames } from './servers/statement-names.ts';
import {
  bumpRevision,
  type Changes,
  type Engine,
  InUseError,
  StoreError,
  type Transaction,
  type Value,
} from './store.ts';

const serverTime = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as at';
const INT8 = 20;
const NUMERIC = 1700;
/** A row of the catalogue, a type or a table that another process has made in between. */
const CREATED_MEANWHILE = new Set(['23505', '42710', '42P07']);
/** The name of the sessions. Those of versions before 1.0.0, which do not watch the schema's number, are named otherwise. */
export const SESSION_NAME = 'pocketwatch 1';
const FIRST_SESSION_NAME = 'pocketwatch';
/** Behind a pooler the session of a process that has ended stays open, idle. Ours ask twice a second. */
const IN_USE_SECONDS = 5;

/**
 * How long a statement may take, how long it may wait for a lock, and how long a transaction may pause between two
 * statements: after that the server ends it, so that a process which hangs gives its locks to another one.
 */
export interface StatementTimeouts {
  statementMs: number;
  lockMs: number;
  idleMs: number;
  /** How long to wait for a connection: for the server, or until another statement has ended that has one of the pool. */
  connectMs?: number;
}

/** A request must be answered before its socket is closed for being idle (30 s). */
export const requestTimeouts: StatementTimeouts = {
  statementMs: 10_000,
  lockMs: 5_000,
  idleMs: 15_000,
  connectMs: 3_000,
};
/**
 * The pipeline has nobody waiting. A slot may take as long as it takes, as long as it goes on: between two statements a
 * job computes one batch of pockets, which takes less than a second with thousands of them, so that even a machine that
 * is thirty times slower keeps its claim. A worker that waits for the claim of one that hangs has it within a minute, also
 * where its own patience (`lockMs`) ends first and it tries again after the scheduler's longest sleep.
 */
export const pipelineTimeouts: StatementTimeouts = { statementMs: 120_000, lockMs: 60_000, idleMs: 30_000 };

/** A job asks for more at once than there are connections: on a busy machine the last of it waits for some seconds. */
const PATIENT_CONNECT_MS = 15_000;
/** A client's own timer ends what a frozen server never answers; the server's limit should come first. */
const CLIENT_GRACE_MS = 2_000;
const READ_CONNECTIONS = 8;
/** Few, so that writers that wait for the ledger's lock leave the server's connections to readers. */
const WRITE_CONNECTIONS = 2;

export interface PostgresOptions {
  readConnections?: number | undefined;
  /** The number of the schema that the program is written for. */
  schema?: number | undefined;
  /** A replica, which is only read. Otherwise a server that takes no writes is refused. */
  standby?: boolean | undefined;
}

/**
 * Nothing here is kept in a session: limits are set inside each transaction, and the names of statements end with it, so
 * that it also works behind PgBouncer in transaction mode.
 */
export function openPostgres(
  url: string,
  timeouts: StatementTimeouts,
  { readConnections = READ_CONNECTIONS, schema = schemaNumber, standby }: PostgresOptions = {},
): Engine {
  const addresses = serverAddresses(url) ?? [url];
  const createPool = (max: number, pipeline: boolean) =>
    openServerPool(
      addresses,
      {
        max,
        pipeline,
        connectionTimeoutMillis: timeouts.connectMs ?? PATIENT_CONNECT_MS,
        query_timeout: timeouts.statementMs + CLIENT_GRACE_MS,
        application_name: SESSION_NAME,
        // pg returns bigint and numeric as text; ours are epoch milliseconds and counts, far below 2^53.
        types: { getTypeParser: (oid, format) => parser(oid, format) },
      },
      standby,
    );
  const readers = createPool(readConnections, false);
  const writers = createPool(WRITE_CONNECTIONS, true);

  const numbered = new Map<string, string>();
  /** The statement with `$1`, `$2` … for `?`. */
  const withNumbers = (sql: string): string => {
    let text = numbered.get(sql);
    if (text === undefined) {
      let n = 0;
      text = sql.replaceAll('?', () => `$${++n}`);
      numbered.set(sql, text);
    }
    return text;
  };

  const query = (connection: ServerPool | pg.PoolClient, sql: string, params: Value[]) => {
    const answer = params.length ? connection.query(withNumbers(sql), params) : connection.query(sql);
    return answer.catch(rethrow);
  };
  const readerOn = (
    ask: (sql: string, params: Value[]) => Promise<pg.QueryResult>,
  ): Pick<Transaction, 'all' | 'get' | 'clock'> => ({
    clock: async () => Number((await ask(serverTime, [])).rows[0].at),
    all: async (sql, ...params) => (await ask(sql, params)).rows,
    get: async (sql, ...params) => (await ask(sql, params)).rows[0],
  });

  /**
   * Statements are sent at once, also while the server has others to answer: it takes them in order. Nobody waits for the
   * rows of an insert: the next statement follows them, and throws what they failed with. After `end` none is taken: it
   * would no longer be part of the transaction.
   */
  const transactionOn = (client: pg.PoolClient) => {
    const names = statementNames(client);
    let ended = false;
    let inserted: Promise<unknown> = Promise.resolve();
    const refuseEnded = () => {
      if (ended) throw new Error('the transaction has ended');
    };
    const queryNamed = (sql: string, params: Value[]) => {
      const name = names.next(sql);
      if (name === undefined) return query(client, sql, params);
      return client.query({ name, text: withNumbers(sql), values: params }).catch(rethrow);
    };
    const ask = async (sql: string, params: Value[], send = queryNamed) => {
      refuseEnded();
      const answer = send(sql, params);
      answer.catch(() => undefined);
      // First, since it has the reason: after a failure the server refuses whatever follows without one.
      await inserted;
      return answer;
    };
    const write = (batch: RowBatch): Promise<unknown> =>
      'lines' in batch
        ? copyLines(client, batch.sql, batch.lines).catch(rethrow)
        : queryNamed(batch.sql, [batch.json]);
    const insert: Transaction['insert'] = async (table, rows, conflict) => {
      for (const batch of rowBatches(table, rows, conflict)) {
        refuseEnded();
        const before = inserted;
        const written = write(batch);
        inserted = before.then(() => written);
        // Whoever sends the next statement, or commits, is told of the first that failed.
        written.catch(() => undefined);
        inserted.catch(() => undefined);
        // Many rows wait for those before them, so that not all of them are on their way at once.
        if (rows.length > BATCH_ROWS) await before;
      }
    };
    const tx: Transaction = {
      ...readerOn(ask),
      run: async (sql, ...params) => void (await ask(sql, params)),
      script: async (sql) => void (await ask(sql, [], () => query(client, sql, []))),
      insert,
      tryLock: async (name) =>
        (await ask('select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as held', [name])).rows[0].held,
    };
    const end = (sql: 'commit' | 'rollback') => {
      ended = true;
      names.close();
      return query(client, sql, []);
    };
    return { tx, written: () => inserted, end };
  };

  const begin = [
    'begin',
    `set local statement_timeout = ${timeouts.statementMs}`,
    `set local lock_timeout = ${timeouts.lockMs}`,
    `set local idle_in_transaction_session_timeout = ${timeouts.idleMs}`,
    // What jobs read was written or read shortly before, and is in memory: a lookup by key costs little more than the next
    // row. With the server's default a table that has no statistics yet is read whole for the rows of one slot.
    'set local random_page_cost = 1.1',
  ].join('; ');

  const inTransaction = async <T>(work: (tx: Transaction) => Promise<T>, changes?: Changes): Promise<T> => {
    const client = await writers.connect().catch(rethrow);
    let broken: Error | undefined;
    const { tx, written, end } = transactionOn(client);
    try {
      await tx.script(begin);
      const result = await work(tx);
      if (changes && !(await tx.get(bumpRevision(changes, schema)))) throw new StoreError('upgraded');
      await written();
      await end('commit');
      return result;
    } catch (error) {
      // A connection that does not answer would not answer the rollback either; closing it rolls back.
      if (error instanceof StoreError && error.code === 'unavailable') broken = error;
      else {
        await end('rollback').catch((failure) => {
          broken = failure;
        });
      }
      throw error;
    } finally {
      client.release(broken);
    }
  };

  const { all, get, clock } = readerOn((sql, params) => query(readers, sql, params));
  return {
    engine: 'postgres',
    all,
    get,
    transaction: (work, changes = 'anything') => inTransaction(work, changes),
    clock,
    exclusively: async (work, { alone = false } = {}) => {
      await createLockTable(inTransaction);
      return inTransaction(async (tx) => {
        // Waits for the process that has inserted or updated the row, until it commits or dies.
        await tx.run('insert into schema_lock (id) values (1) on conflict (id) do update set id = 1');
        if (alone) await refuseFirstVersion(tx);
        if (await tx.get(`select 1 where to_regclass('store_revision') is not null`))
          // Transactions under way end first; those that come later see the new number.
          await tx.run('lock table store_revision in access exclusive mode');
        return work(tx);
      });
    },
    adapt: (sql) => sql.replaceAll(/\/\* postgres:\s(.+?) \*\//gs, '$1'),
    appendOnly: (table, removable) => {
      const refused = removable ? 'update or truncate' : 'update or delete or truncate';
      return `
        create or replace function refuse_change() returns trigger language plpgsql as
          $$ begin raise exception '% is append-only', tg_table_name; end $$;
        create or replace trigger ${table}_no_change before ${refused} on ${table}
          for each statement execute function refuse_change();
        ${removable ? refuseRemoval(table, removable) : ''}`;
    },
    get location() {
      const clients = addresses.map((connectionString) => new pg.Client({ connectionString }));
      const hosts = clients.map(({ host, port }) => `${host}:${port}`);
      return `the database ${clients[0]?.database} at ${hosts.join(' or ')}`;
    },
    startOver: 'set DATABASE_URL to an empty database and DATA_DIR to an empty folder',
    close: async () => {
      await Promise.all([readers.end(), writers.end()]);
    },
  };
}

const refuseRemoval = (table: string, removable: string): string => `
  create or replace function refuse_${table}_removal() returns trigger language plpgsql as
    $$ begin if ${removable} then return old; end if; raise exception '${table} is append-only'; end $$;
  create or replace trigger ${table}_no_delete before delete on ${table}
    for each row execute function refuse_${table}_removal();`;

type InTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** Two processes that create a table at once get in each other's way in the server's catalogue: the second tries again. */
async function createLockTable(inTransaction: InTransaction): Promise<void> {
  const create = 'create table if not exists schema_lock (id integer primary key)';
  await inTransaction((tx) => tx.run(create)).catch((error) => {
    if (!CREATED_MEANWHILE.has(error.code)) throw error;
    return inTransaction((tx) => tx.run(create));
  });
}

async function refuseFirstVersion(tx: Transaction): Promise<void> {
  const used = await tx.get(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = ?
     and (state <> 'idle' or state_change > now() - interval '${IN_USE_SECONDS} seconds')`,
    FIRST_SESSION_NAME,
  );
  if (used)
    throw new InUseError(
      'a process of a version before 1.0.0 uses the database: stop all of them, make a backup, and start again',
    );
}

const rethrow = (error: unknown): never => {
  throw toStoreError(error);
};

const parser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text');
