// The small number of an outlet, by which rows name it: its id is a text of 36 letters. A number is given once, when an
// outlet is first counted, and stays, whatever becomes of the outlet.
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

interface NumberedOutlet {
  number: number;
  outlet_id: string;
}

/** What a transaction has read. It goes with it: what is rolled back is known to nobody. */
const known = new WeakMap<Transaction, Map<string, number>>();

/** The numbers of outlets by id; those that have none yet get the next ones. */
export async function numberOutlets(
  tx: Transaction,
  outlets: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(outlets)];
  for (;;) {
    const numbers = known.get(tx) ?? new Map<string, number>();
    known.set(tx, numbers);
    const unknown = wanted.filter((outlet) => !numbers.has(outlet));
    if (!unknown.length) return numbers;
    // Of these alone: a city may have very many.
    for (const { number, outlet_id } of await readNumbers(tx, 'outlet_id', unknown))
      numbers.set(outlet_id, number);
    const missing = unknown.filter((outlet) => !numbers.has(outlet));
    if (!missing.length) return numbers;
    const last = await tx.get<{ number: number | null }>('select max(number) as number from outlet_numbers');
    const next = (last?.number ?? 0) + 1;
    const [first, ...others] = missing;
    // Another process may have given this number or numbered the outlet since: then this one waits for it, and asks again.
    // Whoever has the next number may give those after it. Many at once might each wait for what another has given.
    const given = await tx.get(
      'insert into outlet_numbers (number, outlet_id) values (?, ?) on conflict do nothing returning number',
      next,
      first ?? '',
    );
    if (given && others.length)
      await tx.insert(
        'outlet_numbers',
        others.map((outlet_id, n) => ({ number: next + 1 + n, outlet_id })),
        'on conflict do nothing',
      );
  }
}

async function readNumbers(
  store: Reader,
  column: keyof NumberedOutlet,
  keys: readonly (string | number)[],
): Promise<NumberedOutlet[]> {
  const found: NumberedOutlet[] = [];
  for (const chunk of inClauseChunks(keys))
    found.push(
      ...(await store.all<NumberedOutlet>(
        `select number, outlet_id from outlet_numbers where ${column} in (${inClause(chunk)})`,
        ...chunk,
      )),
    );
  return found;
}

/** The numbers of those of these outlets that have one. */
export const numbersOfOutlets = async (store: Reader, outlets: readonly string[]): Promise<number[]> =>
  (await readNumbers(store, 'outlet_id', outlets)).map(({ number }) => number);

/** The ids of outlets by number. */
export const namesOfOutlets = async (
  store: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> =>
  new Map((await readNumbers(store, 'number', numbers)).map(({ number, outlet_id }) => [number, outlet_id]));
