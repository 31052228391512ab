import { inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader } from '../engine/store.ts';

/** One look-up in the index for each pocket: grouping would read all its readings. */
const query = (asked: number): string =>
  `with asked (pocket_id) as (values ${Array(asked).fill('(cast(? as text))').join(', ')})
   select a.pocket_id,
     (select min(r.slot) from atmosphere_readings r where r.pocket_id = a.pocket_id and r.slot <= ?) as slot
   from (select distinct pocket_id from asked) as a`;

/** The slot of the first reading up to `until` of each pocket that has one. */
export async function firstReadings(
  store: Reader,
  pockets: readonly string[],
  until: number,
): Promise<Map<string, number>> {
  const first = new Map<string, number>();
  for (const chunk of inClauseChunks(pockets)) {
    const rows = await store.all<{ pocket_id: string; slot: number | null }>(
      query(chunk.length),
      ...chunk,
      until,
    );
    for (const { pocket_id, slot } of rows) if (slot !== null) first.set(pocket_id, slot);
  }
  return first;
}
