import type { Outlet } from '../../../domain/city/city.ts';
import { draftBriefs, isWorthABrief, type ReadyOutlet } from '../../../domain/merchant/brief.ts';
import { HOUR } from '../../../domain/time/slot.ts';
import { idleOutlets, momentsForBriefs } from '../../../store/merchant/brief-inputs.ts';
import { type BriefStatus, briefStatusesSince, writeBriefs } from '../../../store/merchant/briefs.ts';
import type { JobContext } from '../../core/context.ts';

/** The window of a brief has ended this long after the brief was drafted. */
const LONGEST_ENGAGEMENT = 3 * HOUR;

/** Drafts briefs for the ready outlets of every pocket whose moment has a story. */
export async function draftMomentBriefs({ tx, registry, zone, slot }: JobContext): Promise<void> {
  const moments = (await momentsForBriefs(tx, slot)).filter(isWorthABrief);
  if (!moments.length) return;
  const pockets = new Set(moments.map(({ moment }) => moment.pocket_id));
  const own = registry.outlets.filter(({ pocket_id }) => pockets.has(pocket_id));
  const ready = await readyOutlets({ tx, zone, slot }, own);
  const briefs = moments.flatMap((subject) =>
    draftBriefs(slot, subject, ready.get(subject.moment.pocket_id) ?? [], zone),
  );
  await writeBriefs(tx, briefs);
}

async function readyOutlets(
  { tx, zone, slot }: Pick<JobContext, 'tx' | 'zone' | 'slot'>,
  list: readonly Outlet[],
) {
  const outlets = new Map(list.map((outlet) => [outlet.id, outlet]));
  const today = zone.startOfDay(slot);
  const offers = Map.groupBy(
    await briefStatusesSince(tx, Math.min(today, slot - LONGEST_ENGAGEMENT)),
    ({ outlet_id }) => outlet_id,
  );
  const ready = (await idleOutlets(tx, slot, list)).flatMap(({ outlet_id, ...idle }): ReadyOutlet[] => {
    const outlet = outlets.get(outlet_id);
    if (!outlet) return [];
    const offered = offers.get(outlet.id) ?? [];
    return [
      {
        outlet,
        ...idle,
        offered: offered.flatMap((offer) => (offer.slot >= today ? offer.slot : [])),
        engaged: offered.some((offer) => isEngaged(offer, slot)),
      },
    ];
  });
  return Map.groupBy(ready, ({ outlet }) => outlet.pocket_id);
}

/** An offer that is open, or a commitment that has not ended. */
const isEngaged = ({ answer, expires_at, window_end }: BriefStatus, slot: number): boolean =>
  answer === null ? expires_at > slot : (window_end ?? 0) > slot;
