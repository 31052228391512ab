// Takes submissions while requests are served: accepts each, and appends to the ledger what was accepted.
import type { Signer } from '../../ledger/key.ts';
import type { Store, Transaction } from '../engine/store.ts';
import { ledgerAppender } from '../ledger/append.ts';
import type { LogClock } from '../ledger/ledger-log.ts';
import type { KnownTree } from '../ledger/ledger-reads.ts';
import { refuseToAppend } from '../ledger/log-tree.ts';
import {
  appendAccepted,
  findReceipt,
  isAnyAccepted,
  type SubmissionReceipt,
} from './accepted-submissions.ts';

/** How long a client waits for the ledger; what takes longer is told when it asks again. */
const CLIENT_WAITS_MS = 2_000;

export interface SubmissionWriter {
  /** Runs `work` in a transaction that does not wait for the log; `at` is the store's time. */
  accept<T>(work: (tx: Transaction, at: number) => Promise<T>): Promise<T>;
  /** Appends what was accepted, and returns the receipt of one; without its entry while the log is taken by others. */
  seal(id: string): Promise<SubmissionReceipt | undefined>;
  /** Appends what was accepted, here or by a process that was killed before it appended. */
  appendAll(): Promise<void>;
}

interface Options {
  clock?: LogClock;
  /** The newest tree that this machine knows to be published. */
  known?: () => KnownTree | undefined;
  /** Takes what an append for a client failed with: the client is told that its submission was accepted. */
  onFailure?: (error: unknown) => void;
}

export function submissionWriter(
  store: Store,
  signer: Signer,
  { clock = (tx) => tx.clock(), known, onFailure = () => {} }: Options = {},
): SubmissionWriter {
  /** Where a replica is read: it may not have yet what was just accepted. */
  const reader = store.primary ?? store;
  const appendOnce = ledgerAppender(store, signer, clock, known);
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  /** One at a time, so that the others leave the connections to what is accepted; it takes all that was accepted by then. */
  const appendAll = (): Promise<void> => {
    next ??= running
      .catch(() => undefined)
      .then(async () => {
        next = undefined;
        if (await isAnyAccepted(reader)) await appendOnce(appendAccepted);
      });
    running = next;
    return next;
  };
  return {
    accept: (work) =>
      store.transaction(async (tx) => {
        await refuseToAppend(tx, signer, known?.());
        return work(tx, await clock(tx));
      }, 'log'),
    seal: async (id) => {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLIENT_WAITS_MS);
      });
      await Promise.race([appendAll().catch(onFailure), patience]);
      clearTimeout(timer);
      return findReceipt(reader, id);
    },
    appendAll,
  };
}
