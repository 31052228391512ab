import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import type { Reader } from '../engine/store.ts';

/** The gate that closed for a pocket at a slot, or null when none did. */
export async function closedGateAt(store: Reader, pocket: string, slot: number): Promise<ClosedGate | null> {
  const row = await store.get<{ gate: ClosedGate }>(
    'select gate from silences where pocket_id = ? and slot = ?',
    pocket,
    slot,
  );
  return row?.gate ?? null;
}

/** The gates that closed in the window (after, until], by `pocket_id slot`. */
export async function closedGatesBetween(
  store: Reader,
  after: number,
  until: number,
): Promise<Map<string, ClosedGate>> {
  const rows = await store.all<{ pocket_id: string; slot: number; gate: ClosedGate }>(
    'select pocket_id, slot, gate from silences where slot > ? and slot <= ?',
    after,
    until,
  );
  return new Map(rows.map(({ pocket_id, slot, gate }) => [`${pocket_id} ${slot}`, gate]));
}
