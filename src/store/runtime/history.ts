// The progress of the first history, stored because another process may be writing it.
import {
  type HistoryProgress,
  type HistoryRecord,
  historyNotBegun,
  historyProgress,
} from '../../domain/text/history-progress.ts';
import { SLOT } from '../../domain/time/sgt.ts';
import type { Reader, Transaction } from '../engine/store.ts';

export async function readHistory(store: Reader): Promise<HistoryProgress> {
  const record = await store.get<HistoryRecord>('select * from history_progress');
  return record ? historyProgress(record) : historyNotBegun;
}

/** The last slot that was written afterwards, with the first history; null when none was. */
export async function lastBackfilledSlot(store: Reader): Promise<number | null> {
  const record = await store.get<Pick<HistoryRecord, 'from_slot' | 'reached_slot'>>(
    'select from_slot, reached_slot from history_progress',
  );
  return record && record.reached_slot >= record.from_slot ? record.reached_slot : null;
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
export const advanceHistory = (tx: Transaction, reached: number, now: number): Promise<void> =>
  tx.run('update history_progress set reached_slot = ?, updated_at = ?', reached, now);

export const finishHistory = (tx: Transaction): Promise<void> =>
  tx.run('update history_progress set finished = ?', 1);
