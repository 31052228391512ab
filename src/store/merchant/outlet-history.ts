// The past weeks of one outlet, its pocket and comparable outlets, from which patterns are computed.
import type { Others } from '../../domain/merchant/patterns/decision-support.ts';
import type { OutletUse, PocketQuarter } from '../../domain/merchant/patterns/pattern.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';

/** The slots at which an outlet was in use, oldest first. */
export const outletActivityWithin = (
  store: Reader,
  outlet: string,
  { after, until }: Window,
): Promise<OutletUse[]> =>
  store.all<OutletUse>(
    `select slot, activity from outlet_activity
     where outlet_id = ? and slot > ? and slot <= ? and activity > 0 order by slot`,
    outlet,
    after,
    until,
  );

/** The weather, footfall and state of a pocket at each slot, oldest first. */
export const pocketQuartersWithin = (
  store: Reader,
  pocket: string,
  { after, until }: Window,
): Promise<PocketQuarter[]> =>
  store.all<PocketQuarter>(
    `select e.slot, e.rain_mm, e.footfall, r.calm, r.primary_state from env_snapshots e
     left join atmosphere_readings r on r.slot = e.slot and r.pocket_id = e.pocket_id
     where e.pocket_id = ? and e.slot > ? and e.slot <= ? order by e.slot`,
    pocket,
    after,
    until,
  );

/** The mean activity of outlets while in use: the mean of their means, so that each outlet counts the same. */
export async function meanActivityWithin(
  store: Reader,
  outlets: readonly string[],
  { after, until }: Window,
): Promise<Others> {
  const row = await store.get<{ outlets: number; use: number | null }>(
    `select count(*) as outlets, avg(activity) as "use" from (
       select avg(activity) as activity from outlet_activity
       where outlet_id in (${outlets.map(() => '?').join(', ')}) and slot > ? and slot <= ? and activity > 0
       group by outlet_id
     ) as each_one`,
    ...outlets,
    after,
    until,
  );
  return { outlets: row?.outlets ?? 0, use: row?.use ?? 0 };
}
