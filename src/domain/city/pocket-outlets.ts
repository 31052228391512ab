// The one place that says how many outlets a pocket has, so that every answer and page gives the same count.
import { SMALLEST_COUNT, suppressSmallCount } from '../stats/small-count-suppression.ts';
import { timeUntilClose } from '../time/opening-hours.ts';
import { SLOT, slotStart } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';
import type { Category, Outlet } from './city.ts';

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
  const slot = slotStart(now);
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

/** The kinds of which an outlet is open; null below five active outlets, where a kind would tell of a single one. */
export const openKinds = ({ active, open }: PocketOutlets<Pick<Outlet, 'category'>>): Category[] | null =>
  active.length < SMALLEST_COUNT ? null : [...new Set(open.map(({ category }) => category))];

/** `openKinds` of every pocket with five active outlets or more, at a slot. */
export function openKindsByPocket(
  outlets: readonly Outlet[],
  slot: number,
  zone: Zone,
): Map<string, Category[]> {
  const byPocket = Map.groupBy(outlets, ({ pocket_id }) => pocket_id);
  return new Map(
    [...byPocket].flatMap(([pocket_id, own]) => {
      const kinds = openKinds(pocketOutlets(own, pocket_id, slot, zone));
      return kinds ? [[pocket_id, kinds] as const] : [];
    }),
  );
}
