import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import { LONGEST_HALF_LIFE } from '../../domain/decision/moment.ts';
import { MINUTE } from '../../domain/time/sgt.ts';
import type { Reader } from '../engine/store.ts';

export interface LivePackageLine {
  pocket_id: string;
  composed_text: string;
  expires_at: number;
}

/** What was said last in each pocket where it has not expired. */
export async function livePackageLines(store: Reader, now: number): Promise<Map<string, LivePackageLine>> {
  const rows = await store.all<LivePackageLine>(
    `select pocket_id, composed_text, expires_at from packages
     where slot > ? and slot <= ? and expires_at > ? order by slot`,
    now - LONGEST_HALF_LIFE * MINUTE,
    now,
    now,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** The gates that closed after `after`, by pocket and slot. */
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
