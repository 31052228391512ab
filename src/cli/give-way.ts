import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import type { Engine, Transaction } from '../store/store.ts';

/**
 * Where cores are scarce, the pipeline takes what answering leaves. On Linux a thread has a priority of its own;
 * elsewhere only a process has.
 */
export function giveWay(): void {
  if (!isMainThread && process.platform !== 'linux') return;
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}

const SPELL_MS = 0.5;
const PAUSE_MS = 0.1;

/**
 * A low priority alone does not help a request that wakes while the pipeline runs: it waits for the end of the time
 * slice, which may be longer than the answer takes. So the pipeline sleeps for a moment after each short spell of work.
 */
export function paced(store: Engine): Engine {
  const bed = new Int32Array(new SharedArrayBuffer(4));
  let since = performance.now();
  const rest = () => {
    if (performance.now() - since < SPELL_MS) return;
    Atomics.wait(bed, 0, 0, PAUSE_MS);
    since = performance.now();
  };
  const pacedTx = (tx: Transaction): Transaction => ({
    all: (sql, ...params) => {
      rest();
      return tx.all(sql, ...params);
    },
    get: (sql, ...params) => {
      rest();
      return tx.get(sql, ...params);
    },
    run: (sql, ...params) => {
      rest();
      return tx.run(sql, ...params);
    },
    script: tx.script,
    insert: async (table, rows, conflict) => {
      // Some rows at a time: many at once would be a long spell.
      for (let at = 0; at < rows.length; at += 32) {
        rest();
        await tx.insert(table, rows.slice(at, at + 32), conflict);
      }
    },
  });
  return { ...store, transaction: (work) => store.transaction((tx) => work(pacedTx(tx))) };
}
