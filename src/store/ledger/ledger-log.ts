// Seals rows into the ledger, in the transaction that also writes the rows: entries are stored as they come, the tree
// and its signed checkpoint once at the end. Every payload is stamped with the real time at which it was written.
import { isSealedBeforeOutcome, type Written } from '../../domain/prediction/written.ts';
import { iso } from '../../domain/time/slot.ts';
import type { EntryType } from '../../ledger/entry.ts';
import { computeSeal, type Seal } from '../../ledger/seal.ts';
import type { Transaction } from '../engine/store.ts';
import type { LedgerEntry } from './entries.ts';
import { ledgerSize } from './ledger-reads.ts';
import type { LogTree } from './log-tree.ts';

/** Payloads cached in memory, so that a forecast need not be read and parsed again when it is revealed. */
const CACHE_SIZE = 8192;

export interface SealedPayload extends Pick<Seal, 'payload_hash'> {
  payload: object;
}

export type SealReceipt = Pick<LedgerEntry, 'id' | 'leaf' | 'payload_hash'>;

/** The appends of one transaction, from the first, which locks the log. */
interface OpenLog {
  next: number;
  /** The time is read once, under the lock, so that no transaction that committed earlier has a later one. */
  writtenAt: number;
  stamp: Written;
  sealedBeforeOutcome: number;
  writtenAfterwards: number;
}

/** The time of writing, by a clock that no process sets for itself. It is read in the transaction that appends. */
export type LogClock = (tx: Transaction) => number | Promise<number>;

const storeClock: LogClock = (tx) => tx.clock();

/** Allocated at full length: V8 turns an array with large gaps into a slow hash table. */
const emptyCache = () => new Array<(SealedPayload & { leaf: number }) | undefined>(CACHE_SIZE);

/**
 * Seals rows and appends them to the log in the caller's transaction. The caller calls `write` after the last append,
 * and `reset` if the transaction failed. `clock` gives the real time, also while a history is written: the store's, by
 * which the clocks of all machines are measured (clock.ts).
 */
export class LedgerLog {
  readonly #log: LogTree;
  readonly #clock: LogClock;
  /** Undefined until the transaction has locked the log. */
  #open: OpenLog | undefined;
  #virtual = false;
  /** A ring by leaf: each payload stays until a later leaf takes its position. */
  #recent = emptyCache();

  constructor(log: LogTree, clock: LogClock = storeClock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Says that a virtual clock drives this transaction: what it appends is marked `backfilled`. */
  markBackfilled(): void {
    this.#virtual = true;
  }

  /** When what this transaction appends is written. Locks the log, as the first append does. */
  async writtenAt(tx: Transaction): Promise<number> {
    this.#open ??= await this.#lock(tx);
    return this.#open.writtenAt;
  }

  /** The leaf that the next entry will have. */
  async nextLeaf(tx: Transaction): Promise<number> {
    return this.#open?.next ?? (await ledgerSize(tx)) ?? 0;
  }

  async append(
    tx: Transaction,
    type: EntryType,
    rows: readonly { id: string; payload: object }[],
  ): Promise<SealReceipt[]> {
    if (!rows.length) return [];
    this.#open ??= await this.#lock(tx);
    const open = this.#open;
    const entries = rows.map((row, i): LedgerEntry => {
      const payload = { ...row.payload, ...open.stamp };
      const { canonical, payload_hash } = computeSeal(payload);
      const leaf = open.next + i;
      const before = isSealedBeforeOutcome(payload);
      if (before) open.sealedBeforeOutcome++;
      else if (before === false) open.writtenAfterwards++;
      this.#recent[leaf % CACHE_SIZE] = { leaf, payload, payload_hash };
      return { leaf, type, id: row.id, payload: canonical, payload_hash };
    });
    open.next += rows.length;
    await this.#log.append(tx, entries);
    return entries;
  }

  async #lock(tx: Transaction): Promise<OpenLog> {
    const { size, writtenAt: newest } = await this.#log.open(tx);
    // A clock may be set back: the time in the log does not go back with it.
    const writtenAt = Math.max(await this.#clock(tx), newest);
    const stamp: Written = { written_at: iso(writtenAt), ...(this.#virtual && { backfilled: true }) };
    return { next: size, writtenAt, stamp, sealedBeforeOutcome: 0, writtenAfterwards: 0 };
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
  async write(tx: Transaction): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    this.#virtual = false;
    if (open) await this.#log.write(tx, open);
  }

  /** After a rollback: drops everything cached in memory, since the store does not have it. */
  reset(): void {
    this.#open = undefined;
    this.#virtual = false;
    this.#recent = emptyCache();
    this.#log.reset();
  }
}
