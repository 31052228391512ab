// Schemas of a live story, shared by get_live_moment_story and get_available_experiences.
import Type from 'typebox';
import { senseWords } from '../../domain/signals/signal.ts';
import { count, countField, nullable } from '../core/answer-fields.ts';

/** Counts of fewer than five people or outlets are null or left out. */
export const receipts = Type.Object({
  outlets: nullable(countField('outlets that were open and counted')),
  people: nullable(countField('people who said how it felt')),
  intents: Type.Array(Type.Object({ slug: Type.String(), word: Type.Enum([...senseWords]), people: count }), {
    description: 'intents that suit the hour, with the word that supports each and how many people chose it',
  }),
});

export const clauses = {
  why_now: Type.String(),
  why_this_merchant: Type.Union([Type.String(), Type.Null()], {
    description: 'of the outlets together; none is named; null where fewer than five are open',
  }),
  why_users_care: Type.String(),
  why_pocket_benefits: Type.String(),
};
