// The write lock of the file, for the connections of all processes and threads. SQLite gives it to whoever asks first once
// it is free, and one that does transaction after transaction asks at once: others would wait until it has no more to do.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a transaction waits for others. */
const TIMEOUT_MS = 30_000;
const LONGEST_PAUSE_MS = 50;
const SQLITE_BUSY = 5;

/**
 * Begins transactions that write, in turn. The turn is the lock of an empty file beside the store's: whoever wants the
 * write lock takes it first, and gives it back when it has both. So nobody waits for more than the transaction under way
 * and those of the ones who wait already. A process that dies has neither lock any more.
 */
export class WriteLock {
  readonly #turn: DatabaseSync;

  constructor(path: string) {
    this.#turn = new DatabaseSync(`${path}-turn`, { timeout: 0 });
  }

  /** `begin` begins a transaction of the store. */
  async begin(begin: () => void): Promise<void> {
    await withoutBlocking(() => this.#turn.exec('begin immediate'));
    try {
      await withoutBlocking(begin);
    } finally {
      this.#turn.exec('rollback');
    }
  }

  close(): void {
    this.#turn.close();
  }
}

/** Tries a statement again while somebody else has the lock: SQLite's own waiting would block the event loop. */
export async function withoutBlocking(statement: () => void): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return statement();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await delay(pause);
  }
}

export const errcode = (error: unknown): number =>
  Number((error as { errcode?: number } | undefined)?.errcode ?? 0);

export const isBusy = (error: unknown): boolean => (errcode(error) & 0xff) === SQLITE_BUSY;
