import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import { CURRENT_FOR, LONGEST_HALF_LIFE } from '../../domain/decision/moment.ts';
import { DAY, HOUR, MINUTE } from '../../domain/time/sgt.ts';
import type { Reader } from '../engine/store.ts';
import { type MomentRecord, type MomentRow, momentFromRow } from './moments.ts';

export interface PackageTimes {
  slot: number;
  expires_at: number;
}

/** What was said of a pocket in the last day, oldest first. */
export const packagesOfLastDay = (store: Reader, pocket: string, now: number): Promise<PackageTimes[]> =>
  store.all<PackageTimes>(
    'select slot, expires_at from packages where pocket_id = ? and slot > ? and slot <= ? order by slot',
    pocket,
    now - DAY,
    now,
  );

/** The gate that closed on a pocket at a slot, or null when none did. */
export async function closedGateAt(store: Reader, pocket: string, slot: number): Promise<ClosedGate | null> {
  const row = await store.get<{ gate: ClosedGate }>(
    'select gate from silences where pocket_id = ? and slot = ?',
    pocket,
    slot,
  );
  return row?.gate ?? null;
}

/** The pockets where something that was said has not expired. */
export async function pocketsWithLivePackage(store: Reader, now: number): Promise<Set<string>> {
  const rows = await store.all<{ pocket_id: string }>(
    'select distinct pocket_id from packages where slot > ? and slot <= ? and expires_at > ?',
    now - LONGEST_HALF_LIFE * MINUTE,
    now,
    now,
  );
  return new Set(rows.map(({ pocket_id }) => pocket_id));
}

/** The newest moment of every pocket that has a current one. */
export async function currentMoments(store: Reader, now: number): Promise<MomentRecord[]> {
  const rows = await store.all<MomentRow>(
    `select m.* from moments m
     join (select pocket_id, max(slot) as slot from moments where slot > ? and slot <= ? group by pocket_id) newest
       on newest.slot = m.slot and newest.pocket_id = m.pocket_id
     order by m.pocket_id`,
    now - CURRENT_FOR,
    now,
  );
  return rows.map(momentFromRow);
}

/** Readings of all pockets in the last hour. */
export async function countReadingsInLastHour(store: Reader, now: number): Promise<number> {
  const row = await store.get<{ count: number }>(
    'select count(*) as count from atmosphere_readings where slot > ? and slot <= ?',
    now - HOUR,
    now,
  );
  return row?.count ?? 0;
}
