// The one place that says how many outlets a pocket has, so that every answer and page gives the same count.
import { suppressSmallCount } from '../stats/small-count-suppression.ts';
import { timeUntilClose } from '../time/opening-hours.ts';
import { SLOT, slotOf } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';
import type { Outlet } from './city.ts';

/** The outlets of a pocket. */
export interface PocketOutlets<O = Outlet> {
  active: readonly O[];
  /** Those of them that are open through the whole quarter hour of `now`: within it, every answer counts the same. */
  open: readonly O[];
}

export function pocketOutlets(
  outlets: readonly Outlet[],
  pocket_id: string,
  now: number,
  zone: Zone,
): PocketOutlets {
  const active = outlets.filter((outlet) => outlet.active && outlet.pocket_id === pocket_id);
  const slot = slotOf(now);
  return { active, open: active.filter((outlet) => timeUntilClose(outlet, slot, zone) >= SLOT) };
}

export interface OutletCounts {
  /** Active outlets. */
  outlet_count: number;
  /** Those that are open now; null below five. */
  open_now_count: number | null;
}

export const outletCounts = ({ active, open }: PocketOutlets<unknown>): OutletCounts => ({
  outlet_count: active.length,
  open_now_count: suppressSmallCount(open.length),
});
