import { rainPressure } from '../domain/atmosphere.ts';
import type { Outlet } from '../domain/city.ts';
import { liveStory } from '../domain/live-story.ts';
import { roomOf } from '../domain/room.ts';
import { openOutlets, storySubjects, writeStories } from '../store/live-stories.ts';
import { sensedLately } from './lately.ts';
import type { Tick } from './tick.ts';

/** Tells the story of every moment of the slot. */
export async function tellStories(tick: Tick): Promise<void> {
  const { tx, registry, slot } = tick;
  const names = new Map(registry.pockets.map(({ id, name }) => [id, name]));
  const subjects = await storySubjects(tx, slot);
  const outlets = outletsOf(registry.outlets, await openOutlets(tx, slot));
  const senses = await sensedLately(tick);
  const stories = subjects.flatMap((subject) => {
    const { pocket_id } = subject.moment;
    const story = liveStory({
      ...subject,
      slot,
      name: names.get(pocket_id) ?? pocket_id,
      rain: rainPressure(subject.rain_mm ?? 0),
      intents: registry.intents,
      senses: senses(pocket_id),
      outlets: outlets.get(pocket_id) ?? { open: 0, room: 0 },
    });
    return story ?? [];
  });
  await writeStories(tx, stories);
}

/** For each pocket, how many of its active outlets are open and the mean room they have. */
function outletsOf(outlets: readonly Outlet[], open: readonly { outlet_id: string; activity: number }[]) {
  const pockets = new Map(outlets.filter(({ active }) => active).map(({ id, pocket_id }) => [id, pocket_id]));
  const sums = new Map<string, { open: number; room: number }>();
  for (const { outlet_id, activity } of open) {
    const pocket = pockets.get(outlet_id);
    if (pocket === undefined) continue;
    const sum = sums.get(pocket) ?? { open: 0, room: 0 };
    sums.set(pocket, { open: sum.open + 1, room: sum.room + (roomOf(activity) ?? 0) });
  }
  return new Map([...sums].map(([pocket, sum]) => [pocket, { open: sum.open, room: sum.room / sum.open }]));
}
