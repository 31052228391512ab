// The experiences of the whole network over REST, or of one pocket as get_available_experiences gives them.
import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { count, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { listWithin, restAddress } from '../core/text-list.ts';
import {
  experience,
  experienceLine,
  loadExperiences,
  noExperienceText,
  shapeExperiences,
} from './experience-answers.ts';

export const listExperiences = defineOperation({
  name: 'list_experiences',
  title: 'Experiences available now',
  description:
    'Lists what merchants have confirmed for right now, in one pocket or in all of them. Use it to ask the whole network at once where get_available_experiences is asked about each pocket. Returns {pocket_id (null for all), count (live ones), experiences, next_window_at}, the one that ends first is at the top; each experience has its pocket_id and is as get_available_experiences gives it. No outlet is named, and an empty list is the usual answer.',
  input: {
    pocket_id: Type.Optional(pocketId),
    limit: wholeNumber(1, 100, 20, 'maximum experiences to list'),
  },
  output: Type.Object({
    pocket_id: nullable(Type.String()),
    count,
    experiences: Type.Array(experience),
    next_window_at: nullable(timestamp),
  }),
  list: 'experiences',
  // As get_available_experiences: a window can end between two slots.
  cache: false,
  load: ({ pocket_id, limit }, context) => loadExperiences(context, pocket_id, limit),
  shape: (loaded, { pocket_id }) => ({
    pocket_id: pocket_id ?? null,
    count: loaded.live,
    ...shapeExperiences(loaded),
  }),
  speak: ({ count, experiences, next_window_at }, { pocket_id }, zone) => {
    const place = pocket_id === undefined ? 'any pocket' : printable(pocket_id);
    if (!experiences.length) return noExperienceText(place, next_window_at, zone);
    const lines = experiences.map((one) => `${one.pocket_id}: ${experienceLine(one, zone)}`);
    const address = restAddress('/api/experiences', { pocket: pocket_id, limit: 100 });
    const part = count > lines.length ? `; ${lines.length} are listed, all are at ${address}` : '';
    return [
      `confirmed and live: ${count}, the one that ends first is at the top${part}`,
      ...listWithin(lines, address),
    ].join('\n');
  },
  rest: { path: '/api/experiences', names: { pocket_id: 'pocket' } },
});
