// What was observed at and before the time that forecasts were made for: reveals are scored with it.
import type { ObservedOutcome, StateReading } from '../../domain/prediction/generator.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';

type OfPocket<Row> = Row & { pocket_id: string };

export async function outcomesAt(store: Reader, slot: number): Promise<Map<string, ObservedOutcome>> {
  const rows = await store.all<OfPocket<ObservedOutcome>>(
    `select r.pocket_id, r.calm, r.primary_state, e.rain_mm, e.crowd, m.movement_friction, m.spare_capacity
     from atmosphere_readings r
     join snapshots e on ${sameSlotAndPocket('e', 'r')}
     left join moments m on ${sameSlotAndPocket('m', 'r')}
     where r.slot = ?`,
    slot,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** The readings of every pocket at a slot, without the measurements. */
export async function readingsAt(store: Reader, slot: number): Promise<Map<string, StateReading>> {
  const rows = await store.all<OfPocket<StateReading>>(
    'select pocket_id, calm, primary_state from atmosphere_readings where slot = ?',
    slot,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** The readings of a window in one row: how many, the least calm and the most rain. */
export interface Extremes {
  readings: number;
  least_calm: number;
  most_rain: number | null;
}

/** By pocket, over the window (after, until]. */
export async function extremesWithin(
  store: Reader,
  after: number,
  until: number,
): Promise<Map<string, Extremes>> {
  const rows = await store.all<OfPocket<Extremes>>(
    `select r.pocket_id, count(*) as readings, min(r.calm) as least_calm, max(e.rain_mm) as most_rain
     from atmosphere_readings r
     join snapshots e on ${sameSlotAndPocket('e', 'r')}
     where r.slot > ? and r.slot <= ? group by r.pocket_id`,
    after,
    until,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** The slot of the newest package of each pocket in the window (after, until]. */
export async function lastPackageSlots(
  store: Reader,
  after: number,
  until: number,
): Promise<Map<string, number>> {
  const rows = await store.all<{ pocket_id: string; slot: number }>(
    'select pocket_id, max(slot) as slot from packages where slot > ? and slot <= ? group by pocket_id',
    after,
    until,
  );
  return new Map(rows.map((row) => [row.pocket_id, row.slot]));
}
