// The newest reading of every pocket with the measurements behind it, for lists that compare pockets.
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { CURRENT_FOR, currentSlots } from '../../domain/atmosphere/reading.ts';
import { allOfPockets } from '../engine/in-clause-chunks.ts';
import { monthsAround, nearSlots, sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';

export interface CurrentConditions
  extends Pick<Reading, 'pocket_id' | 'slot' | 'calm' | 'stress' | 'social_energy' | 'productive'> {
  rain_mm: number | null;
  temperature_c: number | null;
  footfall: number | null;
  crowd: number | null;
}

/** Of some pockets or of all; a pocket without a reading in the last half hour is left out. */
export async function currentConditions(
  store: Reader,
  now: number,
  pockets?: readonly string[],
): Promise<Map<string, CurrentConditions>> {
  const columns = `r.pocket_id, r.slot, r.calm, r.stress, r.social_energy, r.productive,
    e.rain_mm, e.temperature_c, e.footfall, e.crowd`;
  const measured = `left join snapshots e on ${sameSlotAndPocket('e', 'r')} and ${nearSlots('e')}`;
  const [after, until] = [now - CURRENT_FOR, now];
  const months = monthsAround(after, until);
  const rows = pockets
    ? await allOfPockets<CurrentConditions>(
        store,
        pockets,
        `select ${columns} from asked a cross join atmosphere_readings r ${measured}
         where r.pocket_id = a.pocket_id and r.slot = (select max(n.slot) from atmosphere_readings n
           where n.pocket_id = a.pocket_id and n.slot in (?, ?))`,
        ...months,
        ...currentSlots(now),
      )
    : await store.all<CurrentConditions>(
        `select ${columns} from atmosphere_readings r
         join (select pocket_id, max(slot) as slot from atmosphere_readings
           where slot > ? and slot <= ? group by pocket_id) newest on ${sameSlotAndPocket('r', 'newest')} ${measured}`,
        after,
        until,
        ...months,
      );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}
