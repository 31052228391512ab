// The small number of an outlet, by which rows name it: its id is a text of 36 letters. A number is given once, when an
// outlet is first counted, and stays, whatever becomes of the outlet.
import type { Reader, Transaction } from '../engine/store.ts';
import { giveNumbers, readNumbers } from './name-numbers.ts';

const outletNames = { table: 'outlet_numbers', name: 'outlet_id' };

/** The numbers of outlets by id; those that have none yet get the next ones. */
export const numberOutlets = (
  tx: Transaction,
  outlets: Iterable<string>,
): Promise<ReadonlyMap<string, number>> => giveNumbers(tx, outletNames, outlets);

/** The numbers of those of these outlets that have one. */
export const numbersOfOutlets = async (store: Reader, outlets: readonly string[]): Promise<number[]> =>
  (await readNumbers(store, outletNames, 'outlet_id', outlets)).map(({ number }) => number);

/** The ids of outlets by number. */
export const namesOfOutlets = async (
  store: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> =>
  new Map(
    (await readNumbers(store, outletNames, 'number', numbers)).map(({ number, name }) => [number, name]),
  );
