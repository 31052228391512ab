// Readings with the measurements behind them, as the forecaster learns from them.
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';

export interface PastReading extends Pick<Reading, 'slot' | 'pocket_id' | 'calm' | 'primary_state'> {
  rain_mm: number | null;
  crowd: number | null;
  transit_crowding: number | null;
}

/** The slot of the first reading after `after`; null when there is none. */
export async function firstReadingSlot(store: Reader, after: number): Promise<number | null> {
  const row = await store.get<{ slot: number | null }>(
    'select min(slot) as slot from atmosphere_readings where slot > ?',
    after,
  );
  return row?.slot ?? null;
}

/** Of every pocket, in the window (after, until], oldest first. */
export const pastReadings = (store: Reader, after: number, until: number): Promise<PastReading[]> =>
  store.all<PastReading>(
    `select r.slot, r.pocket_id, r.calm, r.primary_state, e.rain_mm, e.crowd, e.transit_crowding
     from atmosphere_readings r
     join snapshots e on ${sameSlotAndPocket('e', 'r')}
     where r.slot > ? and r.slot <= ? order by r.slot`,
    after,
    until,
  );
