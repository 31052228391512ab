// Copies the part of the ledger that was written before a time: a whole log of its own, up to the last checkpoint before.
import type { Reader } from '../../store/engine/store.ts';
import { checkpointBefore } from '../../store/ledger/ledger-reads.ts';
import { backfilledHistory } from '../../store/runtime/history.ts';
import { type PublishContext, publishLedger } from './publish-ledger.ts';

export interface Archived {
  /** All that were written before, also those that the place had already. */
  entries: number;
  /** When the newest of them was written. */
  written_until: number;
}

/** The checkpoint that an archive ends with. */
export interface Checkpointed {
  size: number;
  signed_at: number;
}

/** `onStep` gets how many of the entries are there. */
export async function archiveLedger(
  context: Omit<PublishContext, 'until'>,
  last: Checkpointed,
  onStep: (done: number, total: number) => void,
): Promise<Archived> {
  await context.storage.prepare();
  await publishLedger({ ...context, until: last.size }, (size) => onStep(size, last.size));
  return { entries: last.size, written_until: last.signed_at };
}

/**
 * The last checkpoint before a time. Undefined where nothing was complete by then: the simulated history is written
 * within minutes, the outcomes of its forecasts with it, and a log that ends inside it would not verify, since outcomes
 * that were due long ago are missing.
 */
export async function lastCompleteCheckpoint(
  store: Reader,
  before: number,
): Promise<Checkpointed | undefined> {
  const last = await checkpointBefore(store, before);
  const history = await backfilledHistory(store);
  const isInside = last && history && (!history.finished || last.size < history.leaves);
  return isInside ? undefined : last;
}
