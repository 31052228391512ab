// Throttles the pipeline's transactions on PostgreSQL. A server gives every session the same share of the processor, so
// a writer that sends one long statement after another slows down the readers: without this the p99 latency of reads
// more than doubles while jobs run (docs/performance.md). SQLite needs none: there the pipeline's thread has a low
// priority.
import { setTimeout as delay } from 'node:timers/promises';
import type { Store, Transaction } from './store.ts';

const PAUSE_MS = 1;
/** Rows that a server inserts in less than a millisecond. */
const BATCH_ROWS = 16;
/** An insert of more rows comes from a city so large that pauses would make its slot late. */
const MAX_THROTTLED_ROWS = 200;

/** The same store, whose transactions insert in small batches and pause after every statement. */
export function throttledStore<S extends Store>(store: S): S {
  const pauseAfter =
    <A extends unknown[], R>(statement: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const result = await statement(...args);
      await delay(PAUSE_MS);
      return result;
    };
  const throttle = ({ all, get, run, script, insert, tryLock, clock }: Transaction): Transaction => ({
    all: pauseAfter(all) as Transaction['all'],
    get: pauseAfter(get) as Transaction['get'],
    run: pauseAfter(run),
    script: pauseAfter(script),
    clock: pauseAfter(clock),
    tryLock,
    insert: async (table, rows, conflict) => {
      const size = rows.length > MAX_THROTTLED_ROWS ? rows.length : BATCH_ROWS;
      for (let at = 0; at < rows.length; at += size)
        await pauseAfter(insert)(table, rows.slice(at, at + size), conflict);
    },
  });
  return {
    ...store,
    transaction: (work, changes) => store.transaction((tx) => work(throttle(tx)), changes),
  };
}
