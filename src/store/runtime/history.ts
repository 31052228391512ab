// The first history, which a virtual clock writes: how far it is, stored because another process may be writing it, and
// where it ends in the ledger.
import {
  type HistoryProgress,
  type HistoryRecord,
  historyNotBegun,
  historyProgress,
} from '../../domain/text/history-progress.ts';
import { SLOT } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';

export async function readHistory(store: Reader): Promise<HistoryProgress> {
  const record = await store.get<HistoryRecord>('select * from history_progress');
  return record ? historyProgress(record) : historyNotBegun;
}

/** A run begins to write, or resumes what another has begun: then the first slot stays the one that it began with. */
export const beginHistory = (
  tx: Transaction,
  { from, until, now }: { from: number; until: number; now: number },
): Promise<void> =>
  tx.insert(
    'history_progress',
    [
      {
        id: 1,
        from_slot: from,
        until_slot: until,
        reached_slot: from - SLOT,
        run_from_slot: from - SLOT,
        run_began_at: now,
        updated_at: now,
        finished: 0,
        leaves: 0,
      },
    ],
    `on conflict (id) do update set
       until_slot = excluded.until_slot,
       run_from_slot = history_progress.reached_slot,
       run_began_at = excluded.run_began_at,
       updated_at = excluded.updated_at
     where history_progress.finished = 0`,
  );

/** In the transaction that wrote the slots up to `reached`. */
export const advanceHistory = (
  tx: Transaction,
  { reached, now, leaves }: { reached: number; now: number; leaves: number },
): Promise<void> =>
  tx.run('update history_progress set reached_slot = ?, updated_at = ?, leaves = ?', reached, now, leaves);

export const finishHistory = (tx: Transaction): Promise<void> =>
  tx.run('update history_progress set finished = ?', 1);

/** A store whose first slot is observed as it comes: the history is complete and empty. */
export async function beginWithoutHistory(tx: Transaction, slot: number, now: number): Promise<void> {
  await beginHistory(tx, { from: slot, until: slot - SLOT, now });
  await finishHistory(tx);
}

/** The simulated history that is written so far. Slots are inclusive. */
export interface BackfilledHistory {
  from_slot: number;
  until_slot: number;
  /** The leaves of the ledger below this one are of the history, and no others. */
  leaves: number;
  finished: boolean;
}

/** Null while there is none. */
export async function backfilledHistory(store: Reader): Promise<BackfilledHistory | null> {
  const row = await store.get<Omit<BackfilledHistory, 'finished'> & { finished: number }>(
    `select from_slot, reached_slot as until_slot, leaves, finished from history_progress
     where reached_slot >= from_slot`,
  );
  return row ? { ...row, finished: row.finished === 1 } : null;
}

/** The last slot that a virtual clock has written: rows up to it are backfilled, none after it. Null: no such rows. */
export const lastBackfilledSlot = async (store: Reader): Promise<number | null> =>
  (await backfilledHistory(store))?.until_slot ?? null;
