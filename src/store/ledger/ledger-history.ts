// Which entries of the ledger were sealed before their outcome, and which were written afterwards, when and for when.
import type { WrittenCounts } from '../../domain/prediction/written.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Reader } from '../engine/store.ts';
import { type BackfilledHistory, backfilledHistory } from '../runtime/history.ts';

export interface WrittenHistory extends BackfilledHistory {
  /** The real times of its first and last entry, as they were sealed. */
  written_from: string;
  written_until: string;
}

export interface LedgerHistory extends WrittenCounts {
  size: number;
  /** Entries by which the log changed its key. */
  key_changes: number;
  /** The real time of the newest entry and of the newest checkpoint; null for an empty log. */
  written_at: number | null;
  /** Null where no virtual clock has sealed anything. */
  history: WrittenHistory | null;
}

export async function ledgerHistory(store: Reader): Promise<LedgerHistory> {
  const [counts, keys, history] = await Promise.all([
    store.get<WrittenCounts & { size: number; written_at: number }>(
      'select size, written_at, sealed_before_outcome, written_afterwards from ledger_size',
    ),
    store.get<{ n: number }>('select count(leaf) as n from ledger_keys'),
    backfilledHistory(store),
  ]);
  const { size = 0, written_at = 0, sealed_before_outcome = 0, written_afterwards = 0 } = counts ?? {};
  return {
    size,
    key_changes: keys?.n ?? 0,
    written_at: size === 0 ? null : written_at,
    sealed_before_outcome,
    written_afterwards,
    history: history && (await withTimes(store, history)),
  };
}

/** From the checkpoints, which never leave the store: each has the time at which the entries since the last one were written. */
async function withTimes(store: Reader, history: BackfilledHistory): Promise<WrittenHistory | null> {
  if (history.leaves === 0) return null;
  const signedAt = async (atLeast: number) => {
    const row = await store.get<{ signed_at: number }>(
      'select signed_at from ledger_checkpoints where size >= ? order by size limit 1',
      atLeast,
    );
    if (!row) throw new Error(`no checkpoint covers ${atLeast} entries`);
    return iso(row.signed_at);
  };
  return { ...history, written_from: await signedAt(1), written_until: await signedAt(history.leaves) };
}
