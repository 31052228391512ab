import type { LiveStory } from '../../../domain/narration/live-story.ts';
import type { Reader } from '../../engine/store.ts';
import { storiesAt } from '../live-stories.ts';

/** The stories of every slot, oldest first, each slot's by pocket. */
export async function allStories(store: Reader): Promise<LiveStory[]> {
  const slots = await store.all<{ slot: number }>('select distinct slot from story_packs order by slot');
  const stories = [];
  for (const { slot } of slots) stories.push(await storiesAt(store, slot));
  return stories.flat();
}
