// A prepared statement of SQLite. The driver's own objects take longer to make than an array and an object, and several
// times as long to read: they have no fixed shape.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Value } from '../store.ts';

/** What a `*` stands for follows the schema, which an upgrade may change while the statement is known. */
const HAS_STAR = /\bselect (\w+\.)?\*/;

export class Statement {
  readonly #prepared: StatementSync;
  readonly #hasStar: boolean;
  #names: readonly string[] | undefined;

  constructor(database: DatabaseSync, sql: string) {
    this.#prepared = database.prepare(sql);
    this.#prepared.setReturnArrays(true);
    this.#hasStar = HAS_STAR.test(sql);
  }

  all<T>(params: readonly Value[]): T[] {
    const rows = this.#prepared.all(...params) as unknown as Value[][];
    if (!rows.length) return [];
    const names = this.#columnNames();
    return rows.map((values) => toRow<T>(names, values));
  }

  get<T>(params: readonly Value[]): T | undefined {
    const values = this.#prepared.get(...params) as unknown as Value[] | undefined;
    return values && toRow<T>(this.#columnNames(), values);
  }

  run(params: readonly Value[]): void {
    this.#prepared.run(...params);
  }

  /** Asked for once the statement has run: only then does it know of a schema that has changed. */
  #columnNames(): readonly string[] {
    if (this.#hasStar) this.#names = undefined;
    this.#names ??= this.#prepared.columns().map(({ name }) => name);
    return this.#names;
  }
}

function toRow<T>(names: readonly string[], values: readonly Value[]): T {
  const row: Record<string, Value | undefined> = {};
  for (let n = 0; n < names.length; n++) row[names[n] as string] = values[n];
  return row as T;
}
