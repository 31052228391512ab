// Experiences: what merchants have confirmed for right now. Loads and shapes them for the tool, which asks about one
// pocket, and for REST, which may ask about all of them.

import Type, { type Static } from 'typebox';
import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import { minutesLeft, nextWindow, WINDOW_DAYS } from '../../domain/merchant/experience.ts';
import { levers } from '../../domain/merchant/value-stack.ts';
import type { LiveStory } from '../../domain/narration/live-story.ts';
import { durationText } from '../../domain/text/duration.ts';
import { isOpen } from '../../domain/time/opening-hours.ts';
import { DAY, iso } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { currentStory } from '../../store/decision/live-stories.ts';
import { commitmentStarts, liveCommitments } from '../../store/merchant/commitments.ts';
import { readingsBetween } from '../../store/observation/readings.ts';
import { currentProjections } from '../../store/prediction/projections.ts';
import { count, nullable, timestamp, unit, unitField } from '../core/answer-fields.ts';
import type { OperationContext } from '../core/define.ts';
import { clauses, receipts } from '../decision/story-fields.ts';
import { atmosphere } from '../pocket/pocket-fields.ts';

export const experience = Type.Object({
  pocket_id: Type.String(),
  story: Type.Union([Type.Object({ composed_at: timestamp, ...clauses }), Type.Null()], {
    description: 'the live story of the pocket; null where none is live',
  }),
  value_stack: Type.Record(
    Type.Enum([...levers]),
    Type.Object({ present: Type.Boolean(), level: unit, line: Type.String() }),
    { description: 'what a visit is worth besides its price' },
  ),
  window_ends_at: timestamp,
  window_remaining_minutes: count,
  receipts: Type.Union([receipts, Type.Null()], { description: 'of that story' }),
  atmosphere: nullable(
    Type.Object(
      { ...atmosphere.properties, captured_at: timestamp },
      { description: 'the newest reading of the last half hour' },
    ),
  ),
  projection_confidence_60m: nullable(unitField('of the sealed forecast an hour ahead')),
  consent: Type.Enum(['merchant', 'simulated']),
});
type Experience = Static<typeof experience>;

/** The live experiences of one pocket, or of all, the one that ends first is at the top. */
export async function loadExperiences(
  { store, registry, now, zone }: OperationContext,
  pocket: string | undefined,
  limit = Number.POSITIVE_INFINITY,
) {
  const outlets = registry.outlets.filter((outlet) => outlet.active && isOpen(outlet, now, zone));
  const open = new Set(outlets.map(({ id }) => id));
  const live = (await liveCommitments(store, pocket, now)).filter(({ outlet_id }) => open.has(outlet_id));
  const commitments = live.slice(0, limit);
  const pockets = [...new Set(commitments.map(({ pocket_id }) => pocket_id))];
  const current = new Map(
    await Promise.all(pockets.map(async (id) => [id, await pocketNow(store, id, now)] as const)),
  );
  return {
    now,
    live: live.length,
    commitments: commitments.map((commitment) => ({ commitment, ...current.get(commitment.pocket_id) })),
    next: live.length ? null : await findNextWindow({ store, now, zone }, pocket),
  };
}
type Loaded = Awaited<ReturnType<typeof loadExperiences>>;

/** What is shown beside each experience of a pocket. */
async function pocketNow(store: OperationContext['store'], pocket: string, now: number) {
  const [story, readings, projections] = await Promise.all([
    currentStory(store, pocket, now),
    readingsBetween(store, pocket, now - CURRENT_FOR, now),
    currentProjections(store, pocket, now),
  ]);
  const hourly = projections.find(({ horizon_minutes }) => horizon_minutes === 60);
  return { story, reading: readings.at(-1), confidence: hourly?.confidence ?? null };
}

/** When the next window may open: the earliest of the pockets asked about, each by its own past. */
async function findNextWindow(
  { store, now, zone }: Pick<OperationContext, 'store' | 'now' | 'zone'>,
  pocket: string | undefined,
) {
  const starts = await commitmentStarts(store, pocket, now - WINDOW_DAYS * DAY, now);
  const byPocket = Map.groupBy(starts, ({ pocket_id }) => pocket_id);
  const next = [...byPocket.values()].flatMap(
    (own) =>
      nextWindow(
        own.map(({ window_start }) => window_start),
        now,
        zone,
      ) ?? [],
  );
  return next.length ? Math.min(...next) : null;
}

export const shapeExperiences = ({ now, commitments, next }: Loaded) => ({
  experiences: commitments.map(({ commitment, story, reading, confidence = null }) => {
    return {
      pocket_id: commitment.pocket_id,
      // Nor the one that the brief was drafted on: it tells of an hour that may be over.
      story: story ? storyClauses(story) : null,
      value_stack: commitment.value_stack,
      window_ends_at: iso(commitment.window_end),
      window_remaining_minutes: minutesLeft(commitment.window_end, now),
      receipts: story?.receipts ?? null,
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
});

/** The text of an answer with no experience. */
export function noExperienceText(place: string, next_window_at: string | null, zone: Zone): string {
  const next = next_window_at === null ? null : Date.parse(next_window_at);
  return [
    `no experience is live in ${place}: that is the usual state, as a merchant confirms each for a short window.`,
    next === null
      ? 'when the next window may open is not known.'
      : `the next window may open about ${zone.clockWithZone(next)} on ${zone.localDate(next)}.`,
  ].join(' ');
}

const storyClauses = (story: LiveStory) => ({
  composed_at: iso(story.slot),
  why_now: story.why_now,
  why_this_merchant: story.why_this_merchant,
  why_users_care: story.why_users_care,
  why_pocket_benefits: story.why_pocket_benefits,
});

export function experienceLine(
  { story, value_stack, atmosphere, projection_confidence_60m, consent, ...window }: Experience,
  zone: Zone,
): string {
  const present = levers.filter((lever) => value_stack[lever].present);
  return [
    `until ${zone.clockWithZone(Date.parse(window.window_ends_at))}, ${durationText(window.window_remaining_minutes)} left.`,
    ...(story
      ? [
          `why now: ${story.why_now}`,
          ...(story.why_this_merchant === null ? [] : [`why this merchant: ${story.why_this_merchant}`]),
          `why users care: ${story.why_users_care}`,
          `why the pocket benefits: ${story.why_pocket_benefits}`,
        ]
      : ['no story of the pocket is live.']),
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
