// Small numbers by which rows name what has a long name. A number is given once, when a name is first needed, and stays.
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

/** A table of numbers, with the column of the names; both are unique in it. */
export interface NameTable {
  table: string;
  name: string;
}

interface Numbered {
  number: number;
  name: string;
}

/** What a transaction has read. It goes with it: what is rolled back is known to nobody. */
const known = new WeakMap<Transaction, Map<string, Map<string, number>>>();

/** The numbers by name; names that have none yet get the next ones. */
export async function giveNumbers(
  tx: Transaction,
  names: NameTable,
  wanted: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const { table, name: column } = names;
  const ofTables = known.get(tx) ?? new Map<string, Map<string, number>>();
  known.set(tx, ofTables);
  const numbers = ofTables.get(table) ?? new Map<string, number>();
  ofTables.set(table, numbers);
  const distinct = [...new Set(wanted)];
  for (;;) {
    const unknown = distinct.filter((name) => !numbers.has(name));
    if (!unknown.length) return numbers;
    // Of these alone: a city may have very many.
    for (const { number, name } of await readNumbers(tx, names, column, unknown)) numbers.set(name, number);
    const missing = unknown.filter((name) => !numbers.has(name));
    if (!missing.length) return numbers;
    const last = await tx.get<{ number: number | null }>(`select max(number) as number from ${table}`);
    const next = (last?.number ?? 0) + 1;
    const [first, ...others] = missing;
    // Another process may have given this number or numbered the name since: then this one waits for it, and asks again.
    // Whoever has the next number may give those after it. Many at once might each wait for what another has given.
    const given = await tx.get(
      `insert into ${table} (number, ${column}) values (?, ?) on conflict do nothing returning number`,
      next,
      first ?? '',
    );
    if (given && others.length)
      await tx.insert(
        table,
        others.map((name, n) => ({ number: next + 1 + n, [column]: name })),
        'on conflict do nothing',
      );
  }
}

/** The numbers that were given, of these names or numbers. */
export async function readNumbers(
  store: Reader,
  { table, name }: NameTable,
  by: string,
  keys: readonly (string | number)[],
): Promise<Numbered[]> {
  const found: Numbered[] = [];
  for (const chunk of inClauseChunks(keys))
    found.push(
      ...(await store.all<Numbered>(
        `select number, ${name} as name from ${table} where ${by} in (${inClause(chunk)})`,
        ...chunk,
      )),
    );
  return found;
}
