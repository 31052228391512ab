import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import {
  experience,
  experienceLine,
  loadExperiences,
  noExperienceText,
  shapeExperiences,
} from './experience-answers.ts';

export const getAvailableExperiences = defineOperation({
  name: 'get_available_experiences',
  title: 'Experiences available in a pocket',
  description:
    'Lists what merchants of a pocket have confirmed for right now: visits that suit the moment and the place. Use it when somebody could go there within the hour. Returns {pocket_id, experiences, next_window_at}; each experience has pocket_id, story {composed_at, why_now, why_this_merchant, why_users_care, why_pocket_benefits}, value_stack {bundle, quiet_seating, priority, freshness, timing, comfort, each {present, level 0..1, line}}, window_ends_at, window_remaining_minutes, receipts {outlets, people, intents} (counts under five are null or left out), atmosphere (the live reading, or null), projection_confidence_60m (of the sealed forecast an hour ahead, or null) and consent (merchant, or simulated in a made-up city). No merchant is named. Each vanishes when its window ends. An empty list is the normal answer; next_window_at then tells when a window may open next, or null.',
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket_id: Type.String(),
    experiences: Type.Array(experience),
    next_window_at: nullable(timestamp),
  }),
  effect: 'read',
  // A window can end between two slots, and a cached answer would outlive it.
  cache: false,
  load: ({ pocket_id }, context) => loadExperiences(context, pocket_id),
  shape: (loaded, { pocket_id }) => ({ pocket_id, ...shapeExperiences(loaded) }),
  speak: ({ experiences, next_window_at }, { pocket_id }) => {
    const place = printable(pocket_id);
    if (!experiences.length) return noExperienceText(place, next_window_at);
    const head = `confirmed and live in ${place}, the one that ends first at the head:`;
    return [head, ...experiences.map(experienceLine)].join('\n');
  },
});
