// The past weeks of one outlet, its pocket and comparable outlets, from which patterns are computed.

import type { Others } from '../../domain/merchant/patterns/decision-support.ts';
import type { OutletUse, PocketQuarter } from '../../domain/merchant/patterns/pattern.ts';
import { type ClockHours, type Hours, isOpenAtHour } from '../../domain/time/opening-hours.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { duringHours, localSlot } from '../engine/local-slot.ts';
import type { Reader } from '../engine/store.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';
import { ofOutlets, outletsTwice } from '../rows/outlet-groups.ts';

/** A window, and the hours of the local clock that are read of each of its days. */
export interface DailyWindow extends Window {
  hours: ClockHours;
  zone: Zone;
}

const duringWindowHours = ({ after, until, hours, zone }: DailyWindow, slot: string): string =>
  duringHours(hours, zone, { from: after, to: until + 1 }, slot);

/** The slots at which an outlet was counted, whether it was open or not, oldest first. */
export const outletActivityWithin = (
  store: Reader,
  outlet: string,
  window: DailyWindow,
): Promise<OutletUse[]> =>
  store.all<OutletUse>(
    `select a.slot, a.activity from counted_outlets a
     where ${ofOutlets('a', 1)} and ${withinDays('a.slot')}${duringWindowHours(window, 'a.slot')} order by a.slot`,
    ...outletsTwice([outlet]),
    ...windowAndDays(window),
  );

/** The weather, footfall and state of a pocket at each slot, oldest first. */
export const pocketQuartersWithin = (
  store: Reader,
  pocket: string,
  window: DailyWindow,
): Promise<PocketQuarter[]> =>
  store.all<PocketQuarter>(
    `select e.slot, e.rain_mm, e.footfall, r.calm, r.primary_state from snapshots e
     left join atmosphere_readings r on r.slot = e.slot and r.pocket_id = e.pocket_id
     where e.pocket_id = ? and ${withinDays('e.slot')}${duringWindowHours(window, 'e.slot')} order by e.slot`,
    pocket,
    ...windowAndDays(window),
  );

/** The mean activity of outlets while open: the mean of their means, so that each outlet counts the same. */
export async function meanActivityWithin(
  store: Reader,
  outlets: readonly (Hours & { id: string })[],
  zone: Zone,
  { after, until }: Window,
): Promise<Others> {
  const timeOfDay = `${localSlot(zone, { from: after, to: until + 1 })} % ${DAY}`;
  // Opening hours are the same every day, so that a sum for each time of the day can be chosen by them.
  const rows = await store.all<{ outlet_id: string; time_of_day: number; use: number; n: number }>(
    `select outlet_id, ${timeOfDay} as time_of_day, sum(activity) as "use", count(*) as n from counted_outlets a
     where ${ofOutlets('a', outlets.length)} and ${withinDays('slot')}
     group by outlet_id, ${timeOfDay}`,
    ...outletsTwice(outlets.map(({ id }) => id)),
    ...windowAndDays({ after, until }),
  );
  const byOutlet = Map.groupBy(rows, ({ outlet_id }) => outlet_id);
  const means = outlets.flatMap((outlet) => {
    const open = (byOutlet.get(outlet.id) ?? []).filter(({ time_of_day }) =>
      isOpenAtHour(outlet, time_of_day / HOUR),
    );
    const n = open.reduce((sum, row) => sum + row.n, 0);
    return n ? [open.reduce((sum, row) => sum + row.use, 0) / n] : [];
  });
  return {
    outlets: means.length,
    use: means.reduce((sum, mean) => sum + mean, 0) / Math.max(1, means.length),
  };
}
