import { setTimeout as delay } from 'node:timers/promises';
import type { Store, Transaction } from './engine/store.ts';

const REST_MS = 1;
/** So few rows at once take a server less than a millisecond. */
const ROWS_AT_ONCE = 16;
/** A city that writes more than this at once has no time for rests between. */
const FEW_ROWS = 200;

/**
 * The same store, whose transactions write in small steps and rest after each. A server gives every session the same
 * rights: one that writes step after step keeps a core from those who read, for as long as each step takes.
 */
export function paced<S extends Store>(store: S): S {
  const resting =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const answer = await ask(...args);
      await delay(REST_MS);
      return answer;
    };
  const restingIn = ({ all, get, run, script, insert, insertValues }: Transaction): Transaction => ({
    all: resting(all) as Transaction['all'],
    get: resting(get) as Transaction['get'],
    run: resting(run),
    script: resting(script),
    insert: async (table, rows, conflict) => {
      const atOnce = rows.length > FEW_ROWS ? rows.length : ROWS_AT_ONCE;
      for (let at = 0; at < rows.length; at += atOnce)
        await resting(insert)(table, rows.slice(at, at + atOnce), conflict);
    },
    insertValues: resting(insertValues),
  });
  return { ...store, transaction: (work) => store.transaction((tx) => work(restingIn(tx))) };
}
