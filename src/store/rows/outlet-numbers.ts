// The small number of an outlet, by which rows name it: its id is a text of 36 letters. A number is given once, when an
// outlet is first counted, and stays, whatever becomes of the outlet.
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

interface NumberedOutlet {
  number: number;
  outlet_id: string;
}

/** What a transaction has read. It goes with it: what is rolled back is known to nobody. */
const known = new WeakMap<Transaction, ReadonlyMap<string, number>>();

/** The numbers of outlets by id; those that have none yet get the next ones. */
export async function numberOutlets(
  tx: Transaction,
  outlets: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(outlets)];
  for (;;) {
    const numbers = known.get(tx);
    if (numbers && wanted.every((outlet) => numbers.has(outlet))) return numbers;
    const rows = await tx.all<NumberedOutlet>('select number, outlet_id from outlet_numbers');
    const stored = new Map(rows.map(({ number, outlet_id }) => [outlet_id, number]));
    known.set(tx, stored);
    const next = rows.reduce((last, { number }) => Math.max(last, number), 0) + 1;
    // Another process may have given a number or numbered an outlet since: then this one waits for it, and asks again.
    await tx.insert(
      'outlet_numbers',
      wanted.filter((outlet) => !stored.has(outlet)).map((outlet_id, n) => ({ number: next + n, outlet_id })),
      'on conflict do nothing',
    );
  }
}

/**
 * Of rows `x` with the number of an outlet: those of so many outlets, whose ids are the parameters. By the id itself
 * PostgreSQL may read the rows of all outlets at a time, to look up the id of each.
 */
export const ofOutlets = (x: string, count: number): string =>
  `${x}.outlet in (${Array(count).fill('(select number from outlet_numbers where outlet_id = ?)').join(', ')})`;

/** The ids of outlets by number. */
export async function namesOfOutlets(
  store: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  for (const chunk of inClauseChunks(numbers)) {
    const rows = await store.all<NumberedOutlet>(
      `select number, outlet_id from outlet_numbers where number in (${inClause(chunk)})`,
      ...chunk,
    );
    for (const { number, outlet_id } of rows) names.set(number, outlet_id);
  }
  return names;
}
