// Seals rows into the ledger, in the transaction that also writes the rows: entries are stored as they come, the tree
// and its signed checkpoint once at the end.
import type { EntryType } from '../../ledger/entry.ts';
import { type Seal, sealOf } from '../../ledger/seal.ts';
import type { Transaction } from '../engine/store.ts';
import type { LogTree, SealedEntry } from './log-tree.ts';

/** Payloads cached in memory, so that a forecast need not be read and parsed again when it is revealed. */
const CACHE_SIZE = 8192;

export interface SealedPayload extends Pick<Seal, 'payload_hash'> {
  payload: object;
}

export type SealReceipt = Pick<SealedEntry, 'id' | 'leaf' | 'payload_hash'>;

/** Allocated at full length: V8 turns an array with large gaps into a slow hash table. */
const emptyCache = () => new Array<(SealedPayload & { leaf: number }) | undefined>(CACHE_SIZE);

/**
 * Seals rows and appends them to the log in the caller's transaction. The caller calls `write` after the last append,
 * and `reset` if the transaction failed.
 */
export class LedgerLog {
  readonly #log: LogTree;
  /** The leaf of the next row; undefined until the transaction has locked the log. */
  #next: number | undefined;
  /** A ring by leaf: each payload stays until a later leaf takes its position. */
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

  /** The payloads sealed as these leaves; undefined unless all of them are still in memory. */
  recentlySealed(leaves: readonly number[]): SealedPayload[] | undefined {
    const found: SealedPayload[] = [];
    for (const leaf of leaves) {
      const sealed = this.#recent[leaf % CACHE_SIZE];
      if (sealed?.leaf !== leaf) return undefined;
      found.push(sealed);
    }
    return found;
  }

  /** Ends the transaction's appends: extends the tree and signs a checkpoint, if anything was appended. */
  async write(tx: Transaction, now: number): Promise<void> {
    if (this.#next === undefined) return;
    this.#next = undefined;
    await this.#log.write(tx, now);
  }

  /** After a rollback: drops everything cached in memory, since the store does not have it. */
  reset(): void {
    this.#next = undefined;
    this.#recent = emptyCache();
    this.#log.reset();
  }
}
