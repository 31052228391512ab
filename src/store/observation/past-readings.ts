// Readings with the measurements behind them, as the forecaster learns from them.
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Reader } from '../engine/store.ts';
import { rowsAt } from '../rows/district-rows.ts';

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

/** Of every pocket of a district at some slots, slot by slot: its pockets are looked up in each. */
export async function pastReadings(
  store: Reader,
  slots: readonly number[],
  district = WHOLE_CITY,
): Promise<PastReading[]> {
  const found: PastReading[] = [];
  for (const slot of slots) {
    const [readings, measured] = await Promise.all([
      rowsAt<Pick<PastReading, 'calm' | 'primary_state'>>(
        store,
        'atmosphere_readings',
        'calm, primary_state',
        slot,
        district,
      ),
      rowsAt<Pick<PastReading, 'rain_mm' | 'crowd' | 'transit_crowding'>>(
        store,
        'snapshots',
        'rain_mm, crowd, transit_crowding',
        slot,
        district,
      ),
    ]);
    for (const [pocket_id, { calm, primary_state }] of readings) {
      const snapshot = measured.get(pocket_id);
      if (!snapshot) continue;
      const { rain_mm, crowd, transit_crowding } = snapshot;
      found.push({ slot, pocket_id, calm, primary_state, rain_mm, crowd, transit_crowding });
    }
  }
  return found;
}
