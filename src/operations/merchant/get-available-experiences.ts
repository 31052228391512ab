import Type, { type Static } from 'typebox';
import { CURRENT_FOR } from '../../domain/decision/moment.ts';
import { minutesLeft, nextWindow, WINDOW_DAYS } from '../../domain/merchant/experience.ts';
import { levers } from '../../domain/merchant/value-stack.ts';
import { printable } from '../../domain/text/printable.ts';
import { clockOf, DAY, dateOf, iso } from '../../domain/time/sgt.ts';
import { currentStory } from '../../store/decision/live-stories.ts';
import { type Commitment, commitmentStarts, liveCommitments } from '../../store/merchant/commitments.ts';
import { readingsBetween } from '../../store/observation/readings.ts';
import { currentProjections } from '../../store/prediction/projections.ts';
import { count, nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { clauses, receipts } from '../decision/story-fields.ts';
import { atmosphere } from '../pocket/pocket-fields.ts';

const experience = Type.Object({
  story: Type.Object({ composed_at: timestamp, ...clauses }),
  value_stack: Type.Record(
    Type.Enum([...levers]),
    Type.Object({ present: Type.Boolean(), level: unit, line: Type.String() }),
    { description: 'what a visit is worth beside its price' },
  ),
  window_ends_at: timestamp,
  window_remaining_minutes: count,
  receipts,
  atmosphere: nullable(
    Type.Object(
      { ...atmosphere.properties, captured_at: timestamp },
      { description: 'the newest reading of the last half hour' },
    ),
  ),
  projection_confidence_60m: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'of the sealed forecast an hour ahead' }),
  ),
  consent: Type.Enum(['merchant', 'simulated']),
});
type Experience = Static<typeof experience>;

export const getAvailableExperiences = defineOperation({
  name: 'get_available_experiences',
  title: 'Experiences available in a pocket',
  description:
    'Lists what merchants of a pocket have confirmed for right now. Use it when somebody could go there within the hour; not for opening hours. Returns {pocket_id, experiences, next_window_at}, each with its story, value_stack, window_remaining_minutes, receipts (n >= 5) and consent; no merchant is named, and an empty list is normal.',
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket_id: Type.String(),
    experiences: Type.Array(experience),
    next_window_at: nullable(timestamp),
  }),
  effect: 'read',
  // A window can end between two slots, and a cached answer would outlive it.
  cache: false,
  load: async ({ pocket_id }, { store, registry, now }) => {
    const active = new Set(registry.outlets.filter((outlet) => outlet.active).map(({ id }) => id));
    const commitments = (await liveCommitments(store, pocket_id, now)).filter(({ outlet_id }) =>
      active.has(outlet_id),
    );
    if (!commitments.length) {
      const starts = await commitmentStarts(store, pocket_id, now - WINDOW_DAYS * DAY, now);
      return { now, commitments, next: nextWindow(starts, now) };
    }
    const [story, readings, projections] = await Promise.all([
      currentStory(store, pocket_id, now),
      readingsBetween(store, pocket_id, now - CURRENT_FOR, now),
      currentProjections(store, pocket_id, now),
    ]);
    const hourly = projections.find(({ horizon_minutes }) => horizon_minutes === 60);
    return {
      now,
      commitments,
      next: null,
      story,
      reading: readings.at(-1),
      confidence: hourly?.confidence ?? null,
    };
  },
  shape: ({ now, commitments, next, story, reading, confidence = null }, { pocket_id }) => ({
    pocket_id,
    experiences: commitments.map((commitment) => {
      const shown = story ?? commitment.story;
      return {
        story: clausesOf(shown),
        value_stack: commitment.value_stack,
        window_ends_at: iso(commitment.window_end),
        window_remaining_minutes: minutesLeft(commitment.window_end, now),
        receipts: shown.receipts,
        atmosphere: reading
          ? {
              primary_state: reading.primary_state,
              stress: reading.stress,
              calm: reading.calm,
              social_energy: reading.social_energy,
              productive: reading.productive,
              captured_at: iso(reading.slot),
            }
          : null,
        projection_confidence_60m: confidence,
        consent: commitment.answered_by === 'simulated' ? ('simulated' as const) : ('merchant' as const),
      };
    }),
    next_window_at: next === null ? null : iso(next),
  }),
  speak: ({ experiences, next_window_at }, { pocket_id }) => {
    const place = printable(pocket_id);
    if (experiences.length)
      return [
        `confirmed and live in ${place}, the one that ends first at the head:`,
        ...experiences.map(lineOf),
      ].join('\n');
    const next = next_window_at === null ? null : Date.parse(next_window_at);
    return [
      `no experience is live in ${place}: that is the usual state, as a merchant confirms each for a short window.`,
      next === null
        ? 'when the next window may open is not known.'
        : `the next window may open about ${clockOf(next)} SGT on ${dateOf(next)}.`,
    ].join(' ');
  },
  rest: { path: '/api/experiences', names: { pocket_id: 'pocket' } },
});

const clausesOf = (story: Commitment['story']) => ({
  composed_at: iso(story.slot),
  why_now: story.why_now,
  why_this_merchant: story.why_this_merchant,
  why_users_care: story.why_users_care,
  why_pocket_benefits: story.why_pocket_benefits,
});

function lineOf({
  story,
  value_stack,
  atmosphere,
  projection_confidence_60m,
  consent,
  ...window
}: Experience): string {
  const present = levers.filter((lever) => value_stack[lever].present);
  return [
    `until ${clockOf(Date.parse(window.window_ends_at))} SGT, ${window.window_remaining_minutes} minutes left.`,
    `why now: ${story.why_now}`,
    `why this merchant: ${story.why_this_merchant}`,
    `why users care: ${story.why_users_care}`,
    `why the pocket benefits: ${story.why_pocket_benefits}`,
    ...present.map(
      (lever) => `${lever.replaceAll('_', ' ')} (${value_stack[lever].level}): ${value_stack[lever].line}`,
    ),
    atmosphere
      ? `the pocket is ${atmosphere.primary_state}.`
      : 'the pocket was not read in the last half hour.',
    projection_confidence_60m === null
      ? 'no fresh forecast of the hour ahead.'
      : `the hour ahead is forecast with a confidence of ${projection_confidence_60m}.`,
    consent === 'simulated'
      ? 'the merchant is simulated, and so is the consent.'
      : 'the merchant has consented.',
  ].join(' ');
}
