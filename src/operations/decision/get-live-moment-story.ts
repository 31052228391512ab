import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
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
    'Tells in four templated clauses what is going on in a pocket now. Use it to put the moment into words. Not for figures (get_pocket_moment) or earlier lines (get_pocket_packages). Returns story {composed_at, expires_at, why_now, why_this_merchant (no outlet is named), why_users_care, why_pocket_benefits, receipts}, renewed every 30 minutes, or story null when none is live, which is usual.',
  toolsets: ['reader'],
  input: { pocket_id: pocketId },
  output: Type.Object({ pocket_id: Type.String(), story: nullable(story) }),
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
  speak: ({ story }, { pocket_id }, zone) => {
    if (!story)
      return `no story is live for ${printable(pocket_id)}: each ends with its moment, and the next is written on the half hour.`;
    const from = zone.clockWithZone(Date.parse(story.composed_at));
    return [
      `${pocket_id} at ${from}.`,
      `why now: ${story.why_now}`,
      ...(story.why_this_merchant === null ? [] : [`why this merchant: ${story.why_this_merchant}`]),
      `why users care: ${story.why_users_care}`,
      `why the pocket benefits: ${story.why_pocket_benefits}`,
    ].join(' ');
  },
  rest: { path: '/api/live-story', names: { pocket_id: 'pocket' } },
});
