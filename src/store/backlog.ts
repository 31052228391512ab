import { rowsOf, type Transaction, type Value } from './engine/store.ts';
import type { SealedEntry, TreeWriter } from './ledger/log-tree.ts';
import type { FlatRows } from './write-behind.ts';

/** So many rows are written at once while nobody asks: a question must not wait for many that it is not about. */
const AT_ONCE = 16;
const ENTRIES = 'ledger_entries';

interface Waiting {
  count: number;
  /** So many of them are written. */
  done: number;
  write(from: number, to: number): Promise<void>;
}

/**
 * Rows that have been handed over and are not written yet, by table: those of one table stay in order, tables need none.
 * Whoever reads or writes through `tx` finds all rows written of the tables that the statement names.
 */
export class Backlog {
  readonly #tables = new Map<string, Waiting[]>();
  readonly #tx: Transaction;
  readonly #log: TreeWriter;

  constructor(tx: Transaction, log: TreeWriter) {
    this.#tx = tx;
    this.#log = log;
  }

  readonly tx: Transaction = {
    all: async (sql, ...params) => {
      await this.#settleFor(sql);
      return this.#tx.all(sql, ...params);
    },
    get: async (sql, ...params) => {
      await this.#settleFor(sql);
      return this.#tx.get(sql, ...params);
    },
    run: async (sql, ...params) => {
      await this.#settleFor(sql);
      return this.#tx.run(sql, ...params);
    },
    script: async (sql) => {
      await this.settle();
      return this.#tx.script(sql);
    },
    insert: async (table, rows, conflict) => {
      await this.#settle(table);
      return this.#tx.insert(table, rows, conflict);
    },
    insertValues: async (table, columns, values, conflict) => {
      await this.#settle(table);
      return this.#tx.insertValues(table, columns, values, conflict);
    },
  };

  add(table: string, rows: FlatRows, conflict: string): void {
    this.#add(table, rows, (some) => this.#tx.insertValues(table, rows.columns, some, conflict));
  }

  append(rows: FlatRows): void {
    this.#add(ENTRIES, rows, (some) => this.#log.append(this.#tx, rowsOf<SealedEntry>(rows.columns, some)));
  }

  async write(now: number): Promise<void> {
    await this.#settle(ENTRIES);
    await this.#log.write(this.#tx, now);
  }

  /** Writes a few rows of the table that has waited longest; false when nothing waits. */
  async some(): Promise<boolean> {
    const [table] = this.#tables.keys();
    return table !== undefined && (await this.#some(table, AT_ONCE));
  }

  async settle(): Promise<void> {
    for (const table of this.#tables.keys()) await this.#settle(table);
  }

  async #settleFor(sql: string): Promise<void> {
    if (!this.#tables.size) return;
    for (const table of this.#tables.keys()) if (namesIn(sql).has(table)) await this.#settle(table);
  }

  async #settle(table: string): Promise<void> {
    while (await this.#some(table, Number.POSITIVE_INFINITY));
  }

  #add(table: string, { columns, values }: FlatRows, write: (some: Value[]) => Promise<void>): void {
    const waiting = {
      count: values.length / columns.length,
      done: 0,
      write: (from: number, to: number) => write(values.slice(from * columns.length, to * columns.length)),
    };
    const before = this.#tables.get(table);
    if (before) before.push(waiting);
    else this.#tables.set(table, [waiting]);
  }

  async #some(table: string, atOnce: number): Promise<boolean> {
    const waiting = this.#tables.get(table);
    const first = waiting?.[0];
    if (!waiting || !first) return false;
    const from = first.done;
    first.done = Math.min(from + atOnce, first.count);
    if (first.done === first.count) waiting.shift();
    if (!waiting.length) this.#tables.delete(table);
    await first.write(from, first.done);
    return true;
  }
}

const names = new Map<string, Set<string>>();

/** All words of a statement: the tables that it is about are among them. */
function namesIn(sql: string): Set<string> {
  let found = names.get(sql);
  if (!found) {
    found = new Set(sql.match(/\w+/g));
    names.set(sql, found);
  }
  return found;
}
