// Readings with the measurements behind them, as the forecaster learns from them.
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';
import { ofDistrict } from '../rows/district-rows.ts';

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

/**
 * Of every pocket of a district at some slots, in their order. The slots are named one by one, for both tables: of a window
 * PostgreSQL would, for each pocket, go through the rows of all others.
 */
export async function pastReadings(
  store: Reader,
  slots: readonly number[],
  district = WHOLE_CITY,
): Promise<PastReading[]> {
  const { and, params } = ofDistrict('r.pocket_id', district);
  const found: PastReading[] = [];
  for (const chunk of inClauseChunks(slots))
    found.push(
      ...(await store.all<PastReading>(
        `select r.slot, r.pocket_id, r.calm, r.primary_state, e.rain_mm, e.crowd, e.transit_crowding
         from atmosphere_readings r
         join snapshots e on ${sameSlotAndPocket('e', 'r')} and e.slot in (${inClause(chunk)})
         where r.slot in (${inClause(chunk)}) ${and} order by r.slot`,
        ...chunk,
        ...chunk,
        ...params,
      )),
    );
  return found;
}
