import { rainPressure } from '../../domain/atmosphere/atmosphere.ts';
import type { Outlet } from '../../domain/city/city.ts';
import { liveStory } from '../../domain/narration/live-story.ts';
import { clamp } from '../../domain/stats/unit-scale.ts';
import { type MomentForStory, momentsForStories, writeStories } from '../../store/decision/live-stories.ts';
import { outletActivityAt } from '../../store/observation/outlet-activity.ts';
import type { JobContext } from '../core/context.ts';
import { recentSenses } from './equilibrium-inputs.ts';

/** Writes the live story of every moment of the slot. */
export async function writeLiveStories(context: JobContext): Promise<void> {
  const { tx, registry, slot, state } = context;
  const names = new Map(registry.pockets.map(({ id, name }) => [id, name]));
  const subjects = await momentsForStories(tx, slot);
  const outlets = outletsOf(registry.outlets, await outletActivityAt(tx, slot));
  const senses = await recentSenses(context);
  const story = (subject: MomentForStory) => {
    const { pocket_id } = subject.moment;
    return liveStory({
      ...subject,
      slot,
      name: names.get(pocket_id) ?? pocket_id,
      rain: rainPressure(subject.rain_mm ?? 0),
      intents: registry.intents,
      senses: senses(pocket_id),
      outlets: outlets.get(pocket_id) ?? { counted: 0, use: 0 },
    });
  };
  for await (const some of state.inBatches(tx, subjects))
    await writeStories(
      tx,
      some.flatMap((subject) => story(subject) ?? []),
    );
}

/** For each pocket, how many of its active outlets were counted and the mean share in use. */
function outletsOf(outlets: readonly Outlet[], used: readonly { outlet_id: string; activity: number }[]) {
  const pockets = new Map(outlets.filter(({ active }) => active).map(({ id, pocket_id }) => [id, pocket_id]));
  const sums = new Map<string, { counted: number; use: number }>();
  for (const { outlet_id, activity } of used) {
    const pocket = pockets.get(outlet_id);
    if (pocket === undefined) continue;
    const { counted, use } = sums.get(pocket) ?? { counted: 0, use: 0 };
    // A running mean.
    sums.set(pocket, { counted: counted + 1, use: use + (clamp(activity) - use) / (counted + 1) });
  }
  return sums;
}
