// Lets go of raw signals that are older than the settings keep. From which slot on they are kept is written down before
// the first row goes: whoever reads rows first and that slot afterwards never takes a row that went for one that never was.
import { SLOT } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';

/** A snapshot names its provenance, so that it goes first. */
export const signalTables = [
  'env_snapshots',
  'provenance_packs',
  'outlet_activity',
  'citizen_senses',
] as const;
type SignalTable = (typeof signalTables)[number];

/** Rows of one transaction, where a single slot has not more: the embedded store is locked for some milliseconds. */
const ROWS_OF_BATCH = 5000;

/** The slot from which on raw signals are kept; null while all are. */
export const signalsKeptFrom = async (store: Reader): Promise<number | null> =>
  (await store.get<{ kept_from: number }>('select kept_from from signal_retention'))?.kept_from ?? null;

/** It never falls: what was let go does not come back. */
export const raiseKeptFrom = (tx: Transaction, kept_from: number): Promise<void> =>
  tx.insert(
    'signal_retention',
    [{ id: 1, kept_from }],
    'on conflict (id) do update set kept_from = excluded.kept_from where excluded.kept_from > signal_retention.kept_from',
  );

/** The newest slot of which anything was measured. */
export const newestSignalSlot = async (store: Reader): Promise<number | null> =>
  (await store.get<{ slot: number | null }>('select max(slot) as slot from env_snapshots'))?.slot ?? null;

export const countSignalsBefore = async (store: Reader, table: SignalTable, slot: number): Promise<number> =>
  (await store.get<{ n: number }>(`select count(*) as n from ${table} where slot < ?`, slot))?.n ?? 0;

export async function hasSignalsBefore(store: Reader, slot: number): Promise<boolean> {
  for (const table of signalTables)
    if (await store.get(`select 1 from ${table} where slot < ? limit 1`, slot)) return true;
  return false;
}

export interface RemovedBatch {
  rows: number;
  /** Where the next batch begins; null when there is nothing left to remove. */
  next: number | null;
}

/**
 * Removes the oldest rows of a table from the slot `from` on that are no longer kept. PostgreSQL steps over removed rows
 * until they are vacuumed: whoever began at the first slot again would step over more with every batch.
 */
export async function removeOldSignals(
  tx: Transaction,
  table: SignalTable,
  from: number,
): Promise<RemovedBatch> {
  // The update claims the row: another process waits here, and goes on where this one ends.
  await tx.run('update signal_retention set kept_from = kept_from where id = 1');
  const keptFrom = (await signalsKeptFrom(tx)) ?? 0;
  const oldest = await tx.get<{ slot: number | null }>(
    `select min(slot) as slot from ${table} where slot >= ? and slot < ?`,
    from,
    keptFrom,
  );
  if (oldest?.slot == null) return { rows: 0, next: null };
  const count = async (before: number) =>
    (
      await tx.get<{ n: number }>(
        `select count(*) as n from ${table} where slot >= ? and slot < ?`,
        from,
        before,
      )
    )?.n ?? 0;
  const ofSlot = await count(oldest.slot + 1);
  const slots = Math.max(1, Math.floor(ROWS_OF_BATCH / ofSlot));
  const next = Math.min(oldest.slot + slots * SLOT, keptFrom);
  const rows = await count(next);
  await tx.run(`delete from ${table} where slot >= ? and slot < ?`, from, next);
  return { rows, next };
}
