// Loads what get_observed_outlet and get_observed_patterns answer: the profile of one outlet.

import type { Static } from 'typebox';
import type { Outlet } from '../../domain/city/city.ts';
import { outletsAt } from '../../domain/city/lists/find-entries.ts';
import { decisionSupport } from '../../domain/merchant/patterns/decision-support.ts';
import { openingDayAt, usesWhileOpen } from '../../domain/merchant/patterns/opening-day.ts';
import { PATTERN_DAYS, type Pattern } from '../../domain/merchant/patterns/pattern.ts';
import { findPatterns, patternHours } from '../../domain/merchant/patterns/patterns.ts';
import { weekOfUse } from '../../domain/merchant/week-of-use.ts';
import { SMALLEST_COUNT } from '../../domain/stats/small-count-suppression.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { openClockHours, openingHours } from '../../domain/time/opening-hours.ts';
import { DAY, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import {
  meanActivityWithin,
  outletActivityWithin,
  pocketQuartersWithin,
} from '../../store/merchant/outlet-history.ts';
import type { OperationContext } from '../core/define.ts';
import type { outlet } from './merchant-fields.ts';
import { activeOutlet, publicOutlet } from './outlet.ts';

interface OutletProfile {
  outlet: Static<typeof outlet>;
  patterns: Pattern[];
  decision_support: string[];
}

/** Days over which the other outlets of the pocket are averaged. */
const OTHERS_DAYS = 7;

/** About how many rows a profile is read from: the slots of its window. */
export const PROFILE_ROWS = (PATTERN_DAYS * DAY) / SLOT;

/**
 * The whole days, by the local clock, that answers about one outlet rest on. Today is left out: with it, two answers a
 * quarter hour apart would tell by their difference how full the outlet is now.
 */
export const wholeDays = (days: number, now: number, zone: Zone): Window => {
  const today = zone.startOfDay(now);
  return { after: zone.startOfDay(today, -days) - 1, until: today - 1 };
};

/**
 * The share of an outlet's capacity that is usually in use at this hour of the week, or of any day where the weekday was
 * counted too rarely; null where neither is known. Answers about one outlet use it in place of the present count.
 */
export async function usualUse(
  { store, now, zone }: Pick<OperationContext, 'store' | 'now' | 'zone'>,
  outlet: Outlet,
): Promise<number | null> {
  const window = { ...wholeDays(PATTERN_DAYS, now, zone), hours: openClockHours(outlet), zone };
  const uses = usesWhileOpen(outlet, await outletActivityWithin(store, outlet.id, window), zone);
  const { day, hour } = openingDayAt(slotStart(now), openingHours(outlet).opens, zone);
  const { hours } = weekOfUse(outlet, uses);
  const own = hours.find((one) => one.weekday === day && one.hour === hour)?.use ?? null;
  if (own !== null) return own;
  const alike = uses.filter((one) => one.hour === hour);
  if (alike.length < SMALLEST_COUNT) return null;
  return round(alike.reduce((sum, { activity }) => sum + activity, 0) / alike.length, 2);
}

/** Reads the last four weeks of one active outlet. Null for an unknown or inactive one. */
export async function outletProfile(
  { registry, store, now, zone }: OperationContext,
  outlet_id: string,
): Promise<OutletProfile | null> {
  const outlet = activeOutlet(registry, outlet_id);
  if (!outlet) return null;
  const { id, pocket_id } = outlet;
  const window = { ...wholeDays(PATTERN_DAYS, now, zone), zone };
  const others = outletsAt(registry, pocket_id).filter((one) => one.active && one.id !== id);
  const [uses, streets, around] = await Promise.all([
    outletActivityWithin(store, id, { ...window, hours: openClockHours(outlet) }),
    pocketQuartersWithin(store, pocket_id, { ...window, hours: patternHours(outlet) }),
    others.length >= SMALLEST_COUNT
      ? meanActivityWithin(store, others, zone, wholeDays(OTHERS_DAYS, now, zone))
      : { outlets: 0, use: 0 },
  ]);
  return {
    outlet: publicOutlet(outlet),
    patterns: findPatterns(outlet, uses, streets, { zone, weekend: registry.city.weekend }),
    decision_support: decisionSupport(outlet, streets, around, zone),
  };
}
