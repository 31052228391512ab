import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { listWithin, restAddress } from '../core/text-list.ts';
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
    'Lists what merchants of a pocket have confirmed for now. Use it when somebody could go there within the hour. Not for opening hours (get_observed_outlet) or whether a pocket suits a wish (get_intent_substrate). Returns experiences, each with its story, value_stack, window_remaining_minutes, receipts (n >= 5), consent, and next_window_at; no merchant is named, and an empty list is normal.',
  toolsets: ['reader', 'merchant'],
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket_id: Type.String(),
    experiences: Type.Array(experience),
    next_window_at: nullable(timestamp),
  }),
  // A window can end between two slots, and a cached answer would outlive it.
  cache: false,
  load: ({ pocket_id }, context) => loadExperiences(context, pocket_id),
  shape: (loaded, { pocket_id }) => ({ pocket_id, ...shapeExperiences(loaded) }),
  speak: ({ experiences, next_window_at }, { pocket_id }, zone) => {
    const place = printable(pocket_id);
    if (!experiences.length) return noExperienceText(place, next_window_at, zone);
    const head = `confirmed and live in ${place}, the one that ends first is at the top:`;
    const lines = experiences.map((one) => experienceLine(one, zone));
    const address = restAddress('/api/experiences', { pocket: pocket_id, limit: 100 });
    return [head, ...listWithin(lines, address)].join('\n');
  },
});
