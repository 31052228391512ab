// What was observed at and before the time that forecasts were made for: reveals are scored with it.
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { ObservedOutcome, StateReading } from '../../domain/prediction/generator.ts';
import { slotsWithin } from '../../domain/time/window.ts';
import { measuredWith } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';
import { ofDistrict, rowsAt } from '../rows/district-rows.ts';

type Outcomes = ReadonlyMap<string, ObservedOutcome>;

/**
 * The newest outcomes that were read of each district: in a history, where a day is a transaction, those before the next
 * slot's. Nothing is added to a slot that has some.
 */
const newest = new WeakMap<Reader, Map<string, { slot: number; outcomes: Outcomes }>>();

/** Of every pocket of a district, as everything here. */
export async function outcomesAt(store: Reader, slot: number, district = WHOLE_CITY): Promise<Outcomes> {
  const ofDistricts = newest.get(store) ?? new Map<string, { slot: number; outcomes: Outcomes }>();
  newest.set(store, ofDistricts);
  const known = ofDistricts.get(district);
  if (known?.slot === slot) return known.outcomes;
  const outcomes = await readOutcomes(store, slot, district);
  if (outcomes.size && slot > (ofDistricts.get(district)?.slot ?? 0))
    ofDistricts.set(district, { slot, outcomes });
  return outcomes;
}

/** Put together here: each table is read by its key, however many rows PostgreSQL expects of a slot that is new to it. */
async function readOutcomes(store: Reader, slot: number, district: string): Promise<Outcomes> {
  const [readings, measured, moments] = await Promise.all([
    readingsAt(store, slot, district),
    rowsAt<Pick<ObservedOutcome, 'rain_mm' | 'crowd'>>(store, 'snapshots', 'rain_mm, crowd', slot, district),
    rowsAt<Pick<ObservedOutcome, 'movement_friction' | 'spare_capacity'>>(
      store,
      'moments',
      'movement_friction, spare_capacity',
      slot,
      district,
    ),
  ]);
  const outcomes = new Map<string, ObservedOutcome>();
  for (const [pocket, { calm, primary_state }] of readings) {
    const snapshot = measured.get(pocket);
    if (!snapshot) continue;
    const { rain_mm, crowd } = snapshot;
    const { movement_friction = null, spare_capacity = null } = moments.get(pocket) ?? {};
    outcomes.set(pocket, { calm, primary_state, rain_mm, crowd, movement_friction, spare_capacity });
  }
  return outcomes;
}

/** The readings at a slot, without the measurements. */
export const readingsAt = (
  store: Reader,
  slot: number,
  district = WHOLE_CITY,
): Promise<Map<string, StateReading>> =>
  rowsAt(store, 'atmosphere_readings', 'calm, primary_state', slot, district);

/** The readings of a window in one row: how many, the least calm and the most rain. */
export interface Extremes {
  readings: number;
  least_calm: number;
  most_rain: number | null;
}

/** By pocket, over the window (after, until]. Of a district slot by slot: its pockets are looked up in each. */
export async function extremesWithin(
  store: Reader,
  after: number,
  until: number,
  district = WHOLE_CITY,
): Promise<Map<string, Extremes>> {
  if (district !== WHOLE_CITY) return extremesOfDistrict(store, after, until, district);
  const rows = await store.all<Extremes & { pocket_id: string }>(
    `select pocket_id, count(*) as readings, min(calm) as least_calm, max(rain_mm) as most_rain
     from (select r.pocket_id, r.calm, ${measuredWith('r', 'rain_mm')} as rain_mm
       from atmosphere_readings r where r.slot > ? and r.slot <= ?) read group by pocket_id`,
    after,
    until,
    after,
    until,
  );
  return new Map(rows.map(({ pocket_id, ...extremes }) => [pocket_id, extremes]));
}

async function extremesOfDistrict(
  store: Reader,
  after: number,
  until: number,
  district: string,
): Promise<Map<string, Extremes>> {
  const read = await Promise.all(
    slotsWithin({ after, until }).map((slot) =>
      Promise.all([
        rowsAt<Pick<StateReading, 'calm'>>(store, 'atmosphere_readings', 'calm', slot, district),
        rowsAt<Pick<ObservedOutcome, 'rain_mm'>>(store, 'snapshots', 'rain_mm', slot, district),
      ]),
    ),
  );
  const all = new Map<string, Extremes>();
  for (const [readings, measured] of read)
    for (const [pocket, { calm }] of readings) {
      const { readings = 0, least_calm = calm, most_rain = null } = all.get(pocket) ?? {};
      const rain = measured.get(pocket)?.rain_mm ?? null;
      all.set(pocket, {
        readings: readings + 1,
        least_calm: Math.min(least_calm, calm),
        most_rain: rain === null ? most_rain : Math.max(most_rain ?? rain, rain),
      });
    }
  return all;
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
