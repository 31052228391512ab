// The engine over PostgreSQL: a pool of connections, statements prepared by their text. Transactions run side by side;
// those that must not, take a row lock (ledger_size, operator_lock) or the advisory lock of migrations.
import pg from 'pg';
import {
  bumpRevision,
  type Engine,
  insertColumns,
  StoreError,
  type Transaction,
  type Value,
} from './store.ts';

/** Rows of one insert. They travel as one JSON text, so this bounds the memory it takes on both sides. */
const INSERT_BATCH_ROWS = 1_000;
const INT8 = 20;
const NUMERIC = 1700;
/** Key of the advisory lock: any constant that all processes of this service share. */
const MIGRATION_LOCK = 7_305_183_442;

export function openPostgres(url: string): Engine {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3_000,
    idle_in_transaction_session_timeout: 120_000,
    application_name: 'pocketwatch',
    // pg returns bigint and numeric as text; ours are epoch milliseconds and counts, far below 2^53.
    types: { getTypeParser: (oid, format) => parser(oid, format) },
  });
  // An idle connection that breaks would otherwise end the process; the next query opens a new one.
  pool.on('error', () => undefined);

  const prepared = new Map<string, { name: string; text: string }>();
  const prepare = (sql: string) => {
    let statement = prepared.get(sql);
    if (!statement) {
      let n = 0;
      statement = { name: `p${prepared.size}`, text: sql.replaceAll('?', () => `$${++n}`) };
      prepared.set(sql, statement);
    }
    return statement;
  };

  const queriesOn = (connection: pg.Pool | pg.PoolClient): Transaction => {
    const query = async (sql: string, params: Value[]) => {
      try {
        return await connection.query(params.length ? { ...prepare(sql), values: params } : sql);
      } catch (error) {
        throw isUnreachable(error) ? new StoreError('unavailable', { cause: error }) : error;
      }
    };
    const insert: Transaction['insert'] = async (table, rows, conflict = '') => {
      if (!rows.length) return;
      const columns = insertColumns(rows).join(', ');
      const from = `json_populate_recordset(null::${table}, ?)`;
      const sql = `insert into ${table} (${columns}) select ${columns} from ${from} ${conflict}`;
      for (let at = 0; at < rows.length; at += INSERT_BATCH_ROWS)
        await query(sql, [JSON.stringify(rows.slice(at, at + INSERT_BATCH_ROWS))]);
    };
    return {
      all: async (sql, ...params) => (await query(sql, params)).rows,
      get: async (sql, ...params) => (await query(sql, params)).rows[0],
      run: async (sql, ...params) => void (await query(sql, params)),
      script: async (sql) => void (await query(sql, [])),
      insert,
    };
  };

  const inTransaction = async <T>(
    first: string,
    work: (tx: Transaction) => Promise<T>,
    last?: string,
  ): Promise<T> => {
    const client = await pool.connect().catch((error) => {
      throw isUnreachable(error) ? new StoreError('unavailable', { cause: error }) : error;
    });
    let broken: Error | undefined;
    try {
      const tx = queriesOn(client);
      await tx.run('begin');
      if (first) await tx.run(first);
      const result = await work(tx);
      if (last) await tx.run(last);
      await tx.run('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };

  const { all, get } = queriesOn(pool);
  return {
    engine: 'postgres',
    all,
    get,
    transaction: (work) => inTransaction('', work, bumpRevision),
    exclusively: (work) => inTransaction(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, work),
    adapt: (sql) => sql,
    appendOnly: (table) => `
      create or replace function refuse_change() returns trigger language plpgsql as
        $$ begin raise exception '% is append-only', tg_table_name; end $$;
      create trigger ${table}_no_change before update or delete or truncate on ${table}
        for each statement execute function refuse_change();`,
    get location() {
      const { host, port, database } = new pg.Client({ connectionString: url });
      return `the database ${database} at ${host}:${port}`;
    },
    startOver: 'set DATABASE_URL to an empty database',
    close: () => pool.end(),
  };
}

const parser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text');

/** The server is away, starting or stopping: trying again later may work, and the statement is not at fault. */
function isUnreachable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (!code) return /timeout|terminated|not queryable/i.test(message ?? '');
  return /^(08|57P|53300)/.test(code) || /^E[A-Z]+$/.test(code);
}
