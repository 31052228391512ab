import type { EntryType } from '../../ledger/entry.ts';
import { type Seal, sealOf } from '../../ledger/seal.ts';
import type { Transaction } from '../engine/store.ts';
import type { LogTree, SealedEntry } from './log-tree.ts';

/** Held so that what was sealed lately need not be read and parsed again when it is judged. */
const CACHE_SIZE = 8192;

export interface SealedPayload extends Pick<Seal, 'payload_hash'> {
  payload: object;
}

export type SealReceipt = Pick<SealedEntry, 'id' | 'leaf' | 'payload_hash'>;

/** Of full length from the start: a list with far gaps is a slow one. */
const emptyCache = () => new Array<(SealedPayload & { leaf: number }) | undefined>(CACHE_SIZE);

/**
 * Seals rows and appends them to the log in the caller's transaction, with `write` after the last and `forget` when it
 * failed.
 */
export class LedgerLog {
  readonly #log: LogTree;
  /** The leaf that the next row will be, in a transaction that has sealed some. */
  #next: number | undefined;
  /** Each in the place of its leaf, until a later one takes it. */
  #recent = emptyCache();

  constructor(log: LogTree) {
    this.#log = log;
  }

  async append(
    tx: Transaction,
    type: EntryType,
    rows: readonly { id: string; payload: object }[],
  ): Promise<SealReceipt[]> {
    if (!rows.length) return [];
    const first = this.#next ?? (await this.#log.open(tx));
    const entries = rows.map(({ id, payload }, i): SealedEntry => {
      const { canonical, payload_hash } = sealOf(payload);
      const leaf = first + i;
      this.#recent[leaf % CACHE_SIZE] = { leaf, payload, payload_hash };
      return { leaf, type, id, payload: canonical, payload_hash };
    });
    this.#next = first + rows.length;
    await this.#log.append(tx, entries);
    return entries;
  }

  /** What was sealed as these leaves; undefined unless all of them are recent. */
  recentlySealed(leaves: readonly number[]): SealedPayload[] | undefined {
    const found: SealedPayload[] = [];
    for (const leaf of leaves) {
      const sealed = this.#recent[leaf % CACHE_SIZE];
      if (sealed?.leaf !== leaf) return undefined;
      found.push(sealed);
    }
    return found;
  }

  async write(tx: Transaction, now: number): Promise<void> {
    if (this.#next === undefined) return;
    this.#next = undefined;
    await this.#log.write(tx, now);
  }

  reset(): void {
    this.#next = undefined;
    this.#recent = emptyCache();
    this.#log.forget();
  }
}
