import type { Outlet } from '../../domain/city/city.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { openKindsByPocket } from '../../domain/city/pocket-outlets.ts';
import { liveStory } from '../../domain/narration/live-story.ts';
import { knownRainPressure } from '../../domain/signals/scales.ts';
import { clamp } from '../../domain/stats/unit-scale.ts';
import { isOpen } from '../../domain/time/opening-hours.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type MomentForStory, momentsForStories, writeStories } from '../../store/decision/live-stories.ts';
import { outletActivityAt } from '../../store/observation/outlet-activity.ts';
import type { JobContext } from '../core/context.ts';
import { recentSenses } from './equilibrium-inputs.ts';

/** Writes the live story of every moment of the slot. */
export async function writeLiveStories(context: JobContext): Promise<void> {
  const { tx, registry, zone, slot, district } = context;
  const pockets = new Map(registry.pockets.map((pocket) => [pocket.id, pocket]));
  const kinds = openKindsByPocket(registry.outlets, slot, zone);
  const subjects = await momentsForStories(tx, slot, district);
  const own = district === WHOLE_CITY ? undefined : registry.outlets.map(({ id }) => id);
  const outlets = openOutlets(registry.outlets, await outletActivityAt(tx, slot, own), slot, zone);
  const senses = await recentSenses(context);
  const story = (subject: MomentForStory) => {
    const { pocket_id } = subject.moment;
    const pocket = pockets.get(pocket_id);
    return liveStory({
      ...subject,
      slot,
      zone,
      name: pocket?.name ?? pocket_id,
      rain: knownRainPressure(subject.rain_mm),
      intents: registry.intents,
      covered: pocket?.covered ?? null,
      open_kinds: kinds.get(pocket_id) ?? null,
      senses: senses(pocket_id),
      outlets: outlets.get(pocket_id) ?? { counted: 0, use: 0 },
    });
  };
  await writeStories(
    tx,
    subjects.flatMap((subject) => story(subject) ?? []),
    district,
  );
}

/** For each pocket, how many of its active outlets were open and counted, and the mean share of them in use. */
function openOutlets(
  outlets: readonly Outlet[],
  counted: readonly { outlet_id: string; activity: number }[],
  slot: number,
  zone: Zone,
) {
  const open = new Map(
    outlets.flatMap((outlet) =>
      outlet.active && isOpen(outlet, slot, zone) ? [[outlet.id, outlet.pocket_id]] : [],
    ),
  );
  const sums = new Map<string, { counted: number; use: number }>();
  for (const { outlet_id, activity } of counted) {
    const pocket = open.get(outlet_id);
    if (pocket === undefined) continue;
    const { counted, use } = sums.get(pocket) ?? { counted: 0, use: 0 };
    // A running mean.
    sums.set(pocket, { counted: counted + 1, use: use + (clamp(activity) - use) / (counted + 1) });
  }
  return sums;
}
