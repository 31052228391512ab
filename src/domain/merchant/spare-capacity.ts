/**
 * Spare capacity of outlets. The opening hours decide whether an outlet is open, not its activity: a closed outlet may
 * still report something, and an open one may be empty.
 */

import type { Outlet } from '../city/city.ts';
import type { Signal } from '../signals/signal.ts';
import { SMALLEST_COUNT } from '../stats/small-count-suppression.ts';
import { clamp } from '../stats/unit-scale.ts';
import { type Hours, isOpen } from '../time/opening-hours.ts';
import { SLOT } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';

/**
 * Share of one outlet's capacity that could be offered, 0..1; null while it is closed, was not counted, or nobody is in
 * it: then it may be empty, or not have opened today, and in doubt it is not offered to anyone.
 */
export const spareCapacity = (
  outlet: Hours,
  activity: number | null,
  now: number,
  zone: Zone,
): number | null =>
  activity !== null && activity > 0 && isOpen(outlet, now, zone) ? clamp(1 - activity) : null;

/** An older count says nothing about the slot. */
const FRESH_FOR = 2 * SLOT;

/** The share of capacity in use of each outlet that was counted lately: the first of several signals. */
export function outletActivity(signals: readonly Signal[], slot: number): Map<string, number> {
  const activity = new Map<string, number>();
  for (const { kind, outlet_id, value, observed_at } of signals) {
    if (kind !== 'outlet_activity' || !outlet_id || slot - observed_at > FRESH_FOR) continue;
    if (!activity.has(outlet_id)) activity.set(outlet_id, value);
  }
  return activity;
}

/** For each pocket the mean unused share of its active outlets that are open and were counted; none, no entry. */
export function pocketSpareCapacity(
  outlets: readonly Pick<Outlet, 'id' | 'pocket_id' | 'active' | 'opens_at' | 'closes_at'>[],
  activity: ReadonlyMap<string, number>,
  slot: number,
  zone: Zone,
): Map<string, number> {
  const sums = new Map<string, { use: number; count: number }>();
  for (const outlet of outlets) {
    const use = activity.get(outlet.id);
    if (use === undefined || !outlet.active || !isOpen(outlet, slot, zone)) continue;
    const sum = sums.get(outlet.pocket_id) ?? { use: 0, count: 0 };
    sums.set(outlet.pocket_id, { use: sum.use + use, count: sum.count + 1 });
  }
  return new Map([...sums].map(([pocket, { use, count }]) => [pocket, clamp(1 - use / count)]));
}

/** Pockets whose active outlets are all closed by their hours: nothing needs to be counted to know that. */
export function pocketsWithAllClosed(
  outlets: readonly Pick<Outlet, 'pocket_id' | 'active' | 'opens_at' | 'closes_at'>[],
  slot: number,
  zone: Zone,
): Set<string> {
  const active = outlets.filter((outlet) => outlet.active);
  const open = new Set(
    active.filter((outlet) => isOpen(outlet, slot, zone)).map(({ pocket_id }) => pocket_id),
  );
  return new Set(active.map(({ pocket_id }) => pocket_id).filter((pocket) => !open.has(pocket)));
}

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
  slot: number,
  zone: Zone,
): StandIn {
  const open = outlets.filter(
    (outlet) =>
      outlet.active &&
      outlet.pocket_id === pocket_id &&
      activity.has(outlet.id) &&
      isOpen(outlet, slot, zone),
  );
  const alike = open.filter((outlet) => outlet.category === category);
  const basis = alike.length >= SMALLEST_COUNT ? 'category' : 'pocket';
  const mean = pocketSpareCapacity(basis === 'category' ? alike : open, activity, slot, zone).get(pocket_id);
  return { basis, spare_capacity: mean ?? null };
}
