import type { Outlet } from '../city/city.ts';
import { SMALLEST_COUNT } from '../stats/small-count-suppression.ts';
import { clamp } from '../stats/unit-scale.ts';

/** Share of an outlet's capacity that is not in use, 0..1; null without activity, since such an outlet is closed. */
export const spareCapacity = (activity: number | null): number | null =>
  activity !== null && activity > 0 ? clamp(1 - activity) : null;

/** Spare capacity that stands for one outlet without showing its own state, and whose mean it is. */
export interface StandIn {
  basis: 'category' | 'pocket';
  /** Null when no outlet of the pocket is open. */
  spare_capacity: number | null;
}

/**
 * The mean of the open outlets of the outlet's category in its pocket, when they are five or more; else that of all open
 * outlets of the pocket. It is the same for every outlet of a category and pocket.
 */
export function standInFor(
  { category, pocket_id }: Pick<Outlet, 'category' | 'pocket_id'>,
  outlets: readonly Outlet[],
  activity: ReadonlyMap<string, number>,
): StandIn {
  const open = outlets.filter(
    (outlet) => outlet.active && outlet.pocket_id === pocket_id && (activity.get(outlet.id) ?? 0) > 0,
  );
  const alike = open.filter((outlet) => outlet.category === category);
  const basis = alike.length >= SMALLEST_COUNT ? 'category' : 'pocket';
  const used = (basis === 'category' ? alike : open).map(({ id }) => activity.get(id) ?? 0);
  if (!used.length) return { basis, spare_capacity: null };
  return { basis, spare_capacity: spareCapacity(used.reduce((sum, share) => sum + share, 0) / used.length) };
}
