// Loads what get_observed_outlet and get_observed_patterns answer: the profile of one outlet.
import type { Static } from 'typebox';
import { decisionSupport } from '../../domain/merchant/patterns/decision-support.ts';
import { PATTERN_DAYS, type Pattern } from '../../domain/merchant/patterns/pattern.ts';
import { findPatterns, patternHours } from '../../domain/merchant/patterns/patterns.ts';
import { SMALLEST_COUNT } from '../../domain/stats/small-count-suppression.ts';
import { openClockHours } from '../../domain/time/opening-hours.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
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

/** Reads the last four weeks of one active outlet. Null for an unknown or inactive one. */
export async function outletProfile(
  { registry, store, now, zone }: OperationContext,
  outlet_id: string,
): Promise<OutletProfile | null> {
  const outlet = activeOutlet(registry, outlet_id);
  if (!outlet) return null;
  const { id, pocket_id } = outlet;
  const window = { after: now - PATTERN_DAYS * DAY, until: now, zone };
  const others = registry.outlets.filter((one) => one.active && one.pocket_id === pocket_id && one.id !== id);
  const [uses, streets, around] = await Promise.all([
    outletActivityWithin(store, id, { ...window, hours: openClockHours(outlet) }),
    pocketQuartersWithin(store, pocket_id, { ...window, hours: patternHours(outlet) }),
    others.length >= SMALLEST_COUNT
      ? meanActivityWithin(store, others, zone, { after: now - OTHERS_DAYS * DAY, until: now })
      : { outlets: 0, use: 0 },
  ]);
  return {
    outlet: publicOutlet(outlet),
    patterns: findPatterns(outlet, uses, streets, { zone, weekend: registry.city.weekend }),
    decision_support: decisionSupport(outlet, streets, around, zone),
  };
}
