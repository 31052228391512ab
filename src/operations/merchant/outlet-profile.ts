import type { Outlet } from '../../domain/city/city.ts';
import { decisionSupport } from '../../domain/merchant/patterns/decision-support.ts';
import { PATTERN_DAYS, type Pattern } from '../../domain/merchant/patterns/pattern.ts';
import { patternsOf } from '../../domain/merchant/patterns/patterns.ts';
import { SMALLEST_COUNT } from '../../domain/stats/small-count-suppression.ts';
import { printable } from '../../domain/text/printable.ts';
import { DAY } from '../../domain/time/sgt.ts';
import { othersWithin, streetsWithin, usesWithin } from '../../store/merchant/outlet-history.ts';
import type { OperationContext } from '../core/define.ts';
import { activeOutlet } from './outlet.ts';

export interface OutletProfile {
  outlet: Pick<Outlet, 'id' | 'name' | 'pocket_id' | 'unit' | 'opens_at' | 'closes_at' | 'category'>;
  patterns: Pattern[];
  decision_support: string[];
}

const OTHERS_DAYS = 7;

/** What the last four weeks tell of one active outlet; null when there is none of that id. */
export async function outletProfile(
  { registry, store, now }: OperationContext,
  outlet_id: string,
): Promise<OutletProfile | null> {
  const outlet = activeOutlet(registry, outlet_id);
  if (!outlet) return null;
  const { id, name, pocket_id, unit, opens_at, closes_at, category } = outlet;
  const window = { after: now - PATTERN_DAYS * DAY, until: now };
  const others = registry.outlets.filter((one) => one.active && one.pocket_id === pocket_id && one.id !== id);
  const [uses, streets, around] = await Promise.all([
    usesWithin(store, id, window),
    streetsWithin(store, pocket_id, window),
    others.length >= SMALLEST_COUNT
      ? othersWithin(
          store,
          others.map((one) => one.id),
          { after: now - OTHERS_DAYS * DAY, until: now },
        )
      : { outlets: 0, use: 0 },
  ]);
  return {
    // An operator's words: shown as they are, but for characters that hide or reorder what stands beside them.
    outlet: { id, name: printable(name), pocket_id, unit: printable(unit), opens_at, closes_at, category },
    patterns: patternsOf(outlet, uses, streets),
    decision_support: decisionSupport(outlet, streets, around),
  };
}
