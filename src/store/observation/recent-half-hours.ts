// The readings of the last hours, of every pocket of a district, by half hour and newest first. Most of those hours are not
// rolled up yet, so the rows themselves are read.
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { PERIOD } from '../../domain/stats/rollup.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { slotsWithin, type Window } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';
import { rowsAt } from '../rows/district-rows.ts';

/** The half hour that a slot is in, where each ends with a full or half hour. */
const halfHourSql = (slot: string): string => `(${slot} - ${SLOT}) / ${PERIOD}`;
const halfHour = (slot: number): number => Math.floor((slot - SLOT) / PERIOD);

export interface CalmHalfHour {
  pocket_id: string;
  readings: number;
  /** Sum of the readings' calm: of two fractions at most, so that it is the same on both engines. */
  calm: number;
}

/** Of the window (after, until]. Of a district slot by slot: its pockets are looked up in each. */
export const calmHalfHours = (
  store: Reader,
  window: Window,
  district = WHOLE_CITY,
): Promise<CalmHalfHour[]> =>
  district === WHOLE_CITY
    ? store.all<CalmHalfHour>(
        `select pocket_id, ${halfHourSql('slot')} as half_hour, count(*) as readings, sum(calm) as calm
         from atmosphere_readings where slot > ? and slot <= ?
         group by pocket_id, half_hour order by half_hour desc`,
        window.after,
        window.until,
      )
    : halfHoursOfDistrict(store, window, district);

async function halfHoursOfDistrict(store: Reader, window: Window, district: string): Promise<CalmHalfHour[]> {
  const read = await Promise.all(
    slotsWithin(window).map(async (slot) => ({
      slot,
      readings: await rowsAt<{ calm: number }>(store, 'atmosphere_readings', 'calm', slot, district),
    })),
  );
  const halfHours = new Map<string, CalmHalfHour>();
  for (const { slot, readings } of read)
    for (const [pocket_id, { calm }] of readings) {
      const key = `${pocket_id} ${halfHour(slot)}`;
      const known = halfHours.get(key) ?? { pocket_id, readings: 0, calm: 0 };
      halfHours.set(key, { pocket_id, readings: known.readings + 1, calm: known.calm + calm });
    }
  return [...halfHours.values()];
}
