import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { insertColumns, type Store, type Transaction, type Value } from './store.ts';

/** One thing for the thread to do, in the order of asking. Only a `question` is answered. */
export interface Order {
  question: boolean;
  call: 'insert' | 'run' | 'all' | 'get' | 'script' | 'begin' | 'commit' | 'rollback' | 'close';
  sql: string;
  values: Value[];
  /** How many values a row has. */
  width?: number;
}
export type Reply = { value: unknown } | { error: unknown };

/** Words that the two threads share: how many orders were given, and how many questions answered. */
export const GIVEN = 0;
export const ANSWERED = 1;

/**
 * The embedded store with its connection on a thread of its own, for whoever writes much and reads little: rows are
 * handed over and written while the caller goes on, and a question waits, with the whole thread, until all before it is
 * done. A write that fails fails the next question, and so the transaction.
 */
export function openSqliteThread(path: string): Store {
  const { port1: port, port2 } = new MessageChannel();
  const words = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
    workerData: { path, port: port2, words },
    transferList: [port2],
  });
  worker.unref();
  let asked = 0;

  const give = (order: Order): void => {
    port.postMessage(order);
    Atomics.add(words, GIVEN, 1);
    Atomics.notify(words, GIVEN);
  };
  const ask = async <T>(call: Order['call'], sql = '', values: Value[] = []): Promise<T> => {
    give({ question: true, call, sql, values });
    asked += 1;
    for (let done = Atomics.load(words, ANSWERED); done < asked; done = Atomics.load(words, ANSWERED)) {
      Atomics.wait(words, ANSWERED, done);
    }
    const reply = receiveMessageOnPort(port)?.message as Reply;
    if ('error' in reply) throw reply.error;
    return reply.value as T;
  };
  const tx: Transaction = {
    all: (sql, ...params) => ask('all', sql, params),
    get: (sql, ...params) => ask('get', sql, params),
    run: (sql, ...params) => ask('run', sql, params),
    script: (sql) => ask('script', sql),
    insert: async (table, rows, conflict = '') => {
      const columns = insertColumns(rows);
      if (!columns.length) return;
      const holes = columns.map(() => '?').join(', ');
      const sql = `insert into ${table} (${columns.join(', ')}) values (${holes}) ${conflict}`;
      const values: Value[] = [];
      for (const row of rows) for (const value of Object.values(row)) values.push(value);
      give({ question: false, call: 'insert', sql, values, width: columns.length });
    },
  };
  let queue: Promise<unknown> = Promise.resolve();
  const inTransaction = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    await ask('begin');
    try {
      const result = await work(tx);
      await ask('commit');
      return result;
    } catch (error) {
      await ask('rollback');
      throw error;
    }
  };
  return {
    engine: 'sqlite',
    all: tx.all,
    get: tx.get,
    transaction: (work) => {
      const turn = queue.then(() => inTransaction(work));
      queue = turn.catch(() => undefined);
      return turn;
    },
    close: async () => {
      await queue;
      await ask('close');
      await worker.terminate();
    },
  };
}
