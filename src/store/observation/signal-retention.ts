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

/** Removes the oldest rows of a table that are no longer kept; returns how many, 0 when there are none left. */
export async function removeOldSignals(tx: Transaction, table: SignalTable): Promise<number> {
  // The update claims the row: another process waits here, and goes on where this one ends.
  await tx.run('update signal_retention set kept_from = kept_from where id = 1');
  const oldest = await tx.get<{ slot: number; rows: number }>(
    `select slot, count(*) as rows from ${table}
     where slot = (select min(slot) from ${table}) and slot < (select kept_from from signal_retention) group by slot`,
  );
  if (!oldest) return 0;
  const slots = Math.max(1, Math.floor(ROWS_OF_BATCH / oldest.rows));
  const range = `where slot < ? and slot < (select kept_from from signal_retention)`;
  const before = oldest.slot + slots * SLOT;
  const found = await tx.get<{ n: number }>(`select count(*) as n from ${table} ${range}`, before);
  await tx.run(`delete from ${table} ${range}`, before);
  return found?.n ?? 0;
}
