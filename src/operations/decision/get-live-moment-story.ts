import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { clockOf, iso } from '../../domain/time/sgt.ts';
import { currentStory } from '../../store/decision/live-stories.ts';
import { nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { clauses, receipts } from './story-fields.ts';

const story = Type.Object({ composed_at: timestamp, expires_at: timestamp, ...clauses, receipts });

export const getLiveMomentStory = defineOperation({
  name: 'get_live_moment_story',
  title: 'Live story of a moment',
  description:
    'Tells the story of what is going on in a pocket, in four clauses made from templates. Use it to put the present moment into words. Returns story {composed_at, expires_at, why_now, why_this_merchant (of the outlets together, none named), why_users_care, why_pocket_benefits, receipts {outlets, people, intents [{slug, word, people}]}}, composed every 30 minutes; counts under five are null or left out. A story ends with its moment: then story is null until the next, which is usual and no error.',
  input: { pocket_id: pocketId },
  output: Type.Object({ pocket_id: Type.String(), story: nullable(story) }),
  effect: 'read',
  // A story can expire between two slots, and a cached answer would outlive it.
  cache: false,
  load: ({ pocket_id }, { store, now }) => currentStory(store, pocket_id, now),
  shape: (story, { pocket_id }) => ({
    pocket_id,
    story: story && {
      composed_at: iso(story.slot),
      expires_at: iso(story.expires_at),
      why_now: story.why_now,
      why_this_merchant: story.why_this_merchant,
      why_users_care: story.why_users_care,
      why_pocket_benefits: story.why_pocket_benefits,
      receipts: story.receipts,
    },
  }),
  speak: ({ story }, { pocket_id }) => {
    if (!story)
      return `no story is live for ${printable(pocket_id)}: each ends with its moment, and the next is written on the half hour.`;
    const [from, until] = [clockOf(Date.parse(story.composed_at)), clockOf(Date.parse(story.expires_at))];
    return [
      `${pocket_id}, ${from} to ${until} SGT.`,
      `why now: ${story.why_now}`,
      `why this merchant: ${story.why_this_merchant}`,
      `why users care: ${story.why_users_care}`,
      `why the pocket benefits: ${story.why_pocket_benefits}`,
    ].join(' ');
  },
  rest: { path: '/api/live-story', names: { pocket_id: 'pocket' } },
});
