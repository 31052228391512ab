import type { Signer } from '../../ledger/key.ts';
import type { Store, Transaction } from '../engine/store.ts';
import { LedgerLog, type LogClock } from './ledger-log.ts';
import type { KnownTree } from './ledger-reads.ts';
import { LogTree } from './log-tree.ts';

/**
 * Appends to the ledger while a request is served, in a transaction that ends with a checkpoint of its own. It
 * raises the revision of the log alone, so the work must write nothing that an operation without `readsLog` shows.
 */
export type AppendToLedger = <T>(work: (tx: Transaction, ledger: LedgerLog) => Promise<T>) => Promise<T>;

/** Requests run side by side, so each gets a `LedgerLog` of its own: a failed one leaves no state for another. */
export const ledgerAppender =
  (store: Store, signer: Signer, clock?: LogClock, known?: () => KnownTree | undefined): AppendToLedger =>
  (work) =>
    store.transaction(async (tx) => {
      const ledger = new LedgerLog(new LogTree(signer, known), clock);
      const result = await work(tx, ledger);
      await ledger.write(tx);
      return result;
    }, 'log');
