import type { PrimaryState } from '../../domain/atmosphere/primary-state.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';

/** What was read of a pocket at a slot, as far as a reveal needs it. */
export interface ObservedOutcome {
  pocket_id: string;
  calm: number;
  primary_state: PrimaryState;
  rain_mm: number | null;
  footfall: number | null;
  movement_friction: number | null;
  spare_capacity: number | null;
}

export async function outcomesAt(store: Reader, slot: number): Promise<Map<string, ObservedOutcome>> {
  const rows = await store.all<ObservedOutcome>(
    `select r.pocket_id, r.calm, r.primary_state, e.rain_mm, e.footfall, m.movement_friction, m.spare_capacity
     from atmosphere_readings r
     join env_snapshots e on ${sameSlotAndPocket('e', 'r')}
     left join moments m on ${sameSlotAndPocket('m', 'r')}
     where r.slot = ?`,
    slot,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** The hour after `slot` in one row: how many readings it had, the least calm and the most rain of them. */
export interface HourExtremes {
  readings: number;
  least_calm: number;
  most_rain: number | null;
}

export async function hourExtremesWithin(
  store: Reader,
  slot: number,
  until: number,
): Promise<Map<string, HourExtremes>> {
  const rows = await store.all<HourExtremes & { pocket_id: string }>(
    `select r.pocket_id, count(*) as readings, min(r.calm) as least_calm, max(e.rain_mm) as most_rain
     from atmosphere_readings r
     join env_snapshots e on ${sameSlotAndPocket('e', 'r')}
     where r.slot > ? and r.slot <= ? group by r.pocket_id`,
    slot,
    until,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** Whether the silences of a slot turned out right; null where there was nothing to judge by. */
export async function vindicationsAt(store: Reader, slot: number): Promise<Map<string, number | null>> {
  const rows = await store.all<{ pocket_id: string; vindicated: number | null }>(
    'select pocket_id, vindicated from vindications where slot = ?',
    slot,
  );
  return new Map(rows.map(({ pocket_id, vindicated }) => [pocket_id, vindicated]));
}

/** When the service last spoke in each pocket, after `slot` and up to `until`. */
export async function lastPackageSlots(
  store: Reader,
  slot: number,
  until: number,
): Promise<Map<string, number>> {
  const rows = await store.all<{ pocket_id: string; slot: number }>(
    'select pocket_id, max(slot) as slot from packages where slot > ? and slot <= ? group by pocket_id',
    slot,
    until,
  );
  return new Map(rows.map((row) => [row.pocket_id, row.slot]));
}
