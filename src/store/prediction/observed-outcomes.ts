// What was observed at and before the time that forecasts were made for: reveals are scored with it.
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { ObservedOutcome, StateReading } from '../../domain/prediction/generator.ts';
import { monthsAround, nearSlots, sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';
import { ofDistrict } from '../rows/district-rows.ts';

type OfPocket<Row> = Row & { pocket_id: string };

/** Of every pocket of a district, as everything here. */
export async function outcomesAt(
  store: Reader,
  slot: number,
  district = WHOLE_CITY,
): Promise<Map<string, ObservedOutcome>> {
  const { and, params } = ofDistrict('r.pocket_id', district);
  const rows = await store.all<OfPocket<ObservedOutcome>>(
    `select r.pocket_id, r.calm, r.primary_state, e.rain_mm, e.crowd, m.movement_friction, m.spare_capacity
     from atmosphere_readings r
     join snapshots e on ${sameSlotAndPocket('e', 'r')} and ${nearSlots('e')}
     left join moments m on ${sameSlotAndPocket('m', 'r')}
     where r.slot = ? ${and}`,
    ...monthsAround(slot, slot),
    slot,
    ...params,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** The readings at a slot, without the measurements. */
export async function readingsAt(
  store: Reader,
  slot: number,
  district = WHOLE_CITY,
): Promise<Map<string, StateReading>> {
  const { and, params } = ofDistrict('pocket_id', district);
  const rows = await store.all<OfPocket<StateReading>>(
    `select pocket_id, calm, primary_state from atmosphere_readings where slot = ? ${and}`,
    slot,
    ...params,
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
  district = WHOLE_CITY,
): Promise<Map<string, Extremes>> {
  const { and, params } = ofDistrict('r.pocket_id', district);
  const rows = await store.all<OfPocket<Extremes>>(
    `select r.pocket_id, count(*) as readings, min(r.calm) as least_calm, max(e.rain_mm) as most_rain
     from atmosphere_readings r
     join snapshots e on ${sameSlotAndPocket('e', 'r')} and ${nearSlots('e')}
     where r.slot > ? and r.slot <= ? ${and} group by r.pocket_id`,
    ...monthsAround(after, until),
    after,
    until,
    ...params,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** The slot of the newest package of each pocket in the window (after, until]. */
export async function lastPackageSlots(
  store: Reader,
  after: number,
  until: number,
  district = WHOLE_CITY,
): Promise<Map<string, number>> {
  const { and, params } = ofDistrict('pocket_id', district);
  const rows = await store.all<{ pocket_id: string; slot: number }>(
    `select pocket_id, max(slot) as slot from packages where slot > ? and slot <= ? ${and} group by pocket_id`,
    after,
    until,
    ...params,
  );
  return new Map(rows.map((row) => [row.pocket_id, row.slot]));
}
