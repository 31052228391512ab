import { allOfPockets } from '../engine/in-clause-chunks.ts';
import type { Reader } from '../engine/store.ts';
import { byDay } from '../rows/day-index.ts';

/** The slot of the first reading up to `until` of each pocket that has one. */
export async function firstReadings(
  store: Reader,
  pockets: readonly string[],
  until: number,
): Promise<Map<string, number>> {
  // One look-up in the index for each pocket: grouping would read all its readings.
  const rows = await allOfPockets<{ pocket_id: string; slot: number | null }>(
    store,
    pockets,
    `select a.pocket_id,
       (select r.slot from atmosphere_readings r where r.pocket_id = a.pocket_id and r.slot <= ?
         order by ${byDay('asc', 'r.')} limit 1) as slot
     from asked a`,
    until,
  );
  return new Map(rows.flatMap(({ pocket_id, slot }) => (slot === null ? [] : [[pocket_id, slot] as const])));
}
