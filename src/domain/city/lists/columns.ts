// A long list of entries as columns: figures as arrays of numbers, texts as bytes, in memory that threads share. An entry
// of such a list is an object that reads its fields when it is asked for them, so that a hundred thousand of them take
// little room, and hardly any in a second thread. A copy by `{ ...entry }` has none of the fields: `plainEntry` makes one.

import { deepFreeze } from './deep-freeze.ts';

/** A field of all entries. `json`: what is neither a number nor a text. */
export type Column = { name: string } & (
  | { kind: 'number' /** NaN where the field is absent. */; numbers: Float64Array }
  | { kind: 'text' | 'json'; texts: Texts }
);

/** Texts of which equal ones may be stored once. */
export interface Texts {
  /** By entry the number of its text, from 1; 0 where the field is absent. */
  numbers: Uint32Array;
  /** Where each text begins, and where the last one ends. */
  starts: Uint32Array;
  bytes: Uint8Array;
  /** Whether a text stays in memory once it was read: few are, or the one that all entries are looked up by. */
  kept: boolean;
}

export interface Columns {
  length: number;
  columns: readonly Column[];
}

/** An entry that reads columns. */
abstract class Entry {
  /** All fields that it has. */
  abstract toJSON(): object;
}

const columnsOfLists = new WeakMap<readonly object[], Columns>();

/** The entries, which read the columns. */
export function columnList<T extends object>(columns: Columns): readonly T[] {
  const EntryOfList = entryClass(columns.columns);
  const list = Object.freeze(
    Array.from({ length: columns.length }, (_, at) => new EntryOfList(at) as unknown as T),
  );
  columnsOfLists.set(list, columns);
  return list;
}

/** The columns that a list reads; undefined for a list of ordinary objects. */
export const listColumns = (list: readonly object[]): Columns | undefined => columnsOfLists.get(list);

/** An entry as an ordinary object. */
export const plainEntry = <T extends object>(entry: T): T =>
  entry instanceof Entry ? (entry.toJSON() as T) : entry;

function entryClass(columns: readonly Column[]): new (at: number) => Entry {
  const readers = columns.map((column) => ({ name: column.name, read: columnReader(column) }));
  class EntryOfList extends Entry {
    readonly #at: number;
    constructor(at: number) {
      super();
      this.#at = at;
    }
    toJSON(): object {
      const fields = readers.map(({ name, read }) => [name, read(this.#at)] as const);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    static {
      for (const { name, read } of readers)
        Object.defineProperty(EntryOfList.prototype, name, {
          get(this: EntryOfList) {
            return read(this.#at);
          },
        });
    }
  }
  return EntryOfList;
}

function columnReader(column: Column): (at: number) => unknown {
  if (column.kind === 'number') {
    const { numbers } = column;
    return (at) => {
      const value = numbers[at] as number;
      return Number.isNaN(value) ? undefined : value;
    };
  }
  const { numbers, starts, bytes, kept } = column.texts;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textOf = (number: number) => buffer.toString('utf8', starts[number - 1], starts[number]);
  const readText =
    column.kind === 'text' ? textOf : (number: number) => deepFreeze(JSON.parse(textOf(number)));
  if (!kept) return (at) => (numbers[at] ? readText(numbers[at]) : undefined);
  const known: unknown[] = [];
  return (at) => {
    const number = numbers[at];
    if (!number) return undefined;
    known[number] ??= readText(number);
    return known[number];
  };
}
