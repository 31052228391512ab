import type { Worker } from 'node:worker_threads';
import { insertColumns, type Store, type Transaction, type Value } from './engine/store.ts';
import type { TreeWriter } from './ledger/log-tree.ts';
import { Line, type LineEnd } from './line.ts';

/** Longer than a lock is waited for, or a disk: only a thread that is dead does not answer. */
const PATIENCE_MS = 120_000;
/** So many values are handed over at once: each time, the other thread may have to be woken. */
const VALUES_AT_ONCE = 1_500;
/** So many values may wait to be written, since they wait in memory. */
const MOST_WAITING = 200_000;

/** Rows of the same columns, one value after the other. */
export interface FlatRows {
  columns: readonly string[];
  values: readonly Value[];
}

/** What the other thread does when it comes to it, with no answer. */
export type Order =
  | { kind: 'insert'; table: string; conflict: string; rows: FlatRows }
  | { kind: 'append'; rows: FlatRows }
  | { kind: 'write'; now: number }
  | { kind: 'run'; sql: string; params: Value[] }
  | { kind: 'errand'; errand: unknown };

/** What it is waited for. */
export type Question =
  | { kind: 'begin' | 'settle' | 'commit' | 'rollback' | 'open' | 'close' }
  | { kind: 'all' | 'get' | 'script'; sql: string; params: Value[] };

/** Orders, and a question that comes after them. */
export interface Message {
  orders: readonly Order[];
  question?: Question;
}

export type Answer = { value: unknown } | { error: unknown };

export interface Behind extends Pick<Store, 'transaction'> {
  log: TreeWriter;
  /** Has the other thread do something of its own in this transaction, after all that was handed over before. */
  send(errand: unknown): void;
  /** Something to do a little of while an answer is waited for; false when nothing is left to do. */
  meanwhile(work: () => boolean): void;
  close(): Promise<void>;
}

/**
 * Transactions that a thread of its own writes, one at a time: what is inserted, appended or run is handed over and not
 * waited for, a question waits for the rows that it is about, and the end of the transaction for all of them. What
 * cannot be written fails the next question, or the end.
 */
export function writeBehind(worker: Worker, end: LineEnd): Behind {
  worker.unref();
  const line = new Line<Answer, Message>(end);
  let orders: Order[] = [];
  let values = 0;
  let waiting = 0;
  const handOver = (question?: Question) => {
    line.send(question ? { orders, question } : { orders });
    orders = [];
    waiting += values;
    values = 0;
  };
  const order = (one: Order, size = 1) => {
    orders.push(one);
    values += size;
    if (values < VALUES_AT_ONCE) return;
    handOver();
    if (waiting < MOST_WAITING) return;
    ask({ kind: 'settle' });
    waiting = 0;
  };
  /** Answers come in the order of the questions. */
  let asked = 0;
  let answered = 0;
  const early = new Map<number, Answer>();
  let aside = () => false;
  const taken = (): Answer => {
    for (;;) {
      const answer = line.poll() ?? (aside() ? undefined : line.take(PATIENCE_MS));
      if (answer) return answer;
    }
  };
  const post = <T>(question: Question): (() => T) => {
    handOver(question);
    const number = asked++;
    return () => {
      while (answered <= number) early.set(answered++, taken());
      const answer = early.get(number);
      early.delete(number);
      if (!answer || 'error' in answer) throw answer?.error;
      return answer.value as T;
    };
  };
  const ask = <T>(question: Question): T => post<T>(question)();
  const tx: Transaction = {
    all: (sql, ...params) => new Later(post({ kind: 'all', sql, params })),
    get: (sql, ...params) => new Later(post({ kind: 'get', sql, params })),
    script: (sql) => new Later(post({ kind: 'script', sql, params: [] })),
    run: async (sql, ...params) => order({ kind: 'run', sql, params }),
    insert: async (table, rows, conflict) => {
      if (!rows.length) return;
      const { columns, values } = flat(rows);
      return tx.insertValues(table, columns, values, conflict);
    },
    insertValues: async (table, columns, values, conflict = '') =>
      order({ kind: 'insert', table, conflict, rows: { columns, values } }, values.length),
  };
  return {
    transaction: async (work) => {
      ask({ kind: 'begin' });
      try {
        const result = await work(tx);
        ask({ kind: 'commit' });
        return result;
      } catch (error) {
        ask({ kind: 'rollback' });
        throw error;
      }
    },
    log: {
      open: async () => ask<number>({ kind: 'open' }),
      append: async (_tx, entries) => {
        const rows = flat(entries);
        order({ kind: 'append', rows }, rows.values.length);
      },
      write: async (_tx, now) => order({ kind: 'write', now }),
      forget: () => undefined,
    },
    send: (errand) => order({ kind: 'errand', errand }),
    meanwhile: (work) => {
      aside = work;
    },
    close: async () => {
      ask({ kind: 'close' });
      line.close();
      await worker.terminate();
    },
  };
}

/** Asked at once; whoever awaits it stands still until the answer is here. */
class Later<T> extends Promise<T> {
  readonly #take: () => T;
  #answer: Promise<T> | undefined;

  static override get [Symbol.species]() {
    return Promise;
  }

  constructor(take: () => T) {
    super(() => undefined);
    this.#take = take;
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise that waits in its own way
  override then<A = T, B = never>(
    onAnswer?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#answer ??= new Promise<T>((resolve) => resolve(this.#take()));
    return this.#answer.then(onAnswer, onError);
  }
}

function flat(rows: readonly object[]): FlatRows {
  const values: Value[] = [];
  for (const row of rows) for (const value of Object.values(row)) values.push(value);
  return { columns: insertColumns(rows), values };
}
