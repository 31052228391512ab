import Type from 'typebox';
import { weigh } from '../../domain/decision/decide.ts';
import { gates } from '../../domain/decision/gates.ts';
import { fatigueOf, legitimacyFactors, recommendations } from '../../domain/decision/legitimacy.ts';
import { VINDICATION_WINDOW } from '../../domain/decision/silence.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/sgt.ts';
import { currentSituation } from '../../store/decision/situation.ts';
import { nullable, timestamp, unavailable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { gateResults, legitimacyBand, legitimacyScore } from './decision-fields.ts';

const share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }));

const userContext = Type.Object(
  {
    user_id: Type.Optional(Type.String({ description: 'not looked up, and forgotten with the answer' })),
    fatigue_score: share('how tired of being addressed they are; wins over last_dismissal_at'),
    last_dismissal_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'when they last waved something away' }),
    ),
  },
  {
    additionalProperties: true,
    description: 'who would be addressed; used for this answer and then forgotten',
  },
);

const merchantContext = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'not looked up' })),
    idle_pressure: share('how much an idle outlet presses for it; by default from the room in the pocket'),
  },
  { additionalProperties: true, description: 'on whose behalf' },
);

/** Arguments that the answer repeats. */
const echoed = {
  pocket_id: Type.String(),
  candidate_action: Type.String(),
  channel: nullable(Type.String()),
};

export const scoreLegitimacy = defineOperation({
  name: 'score_legitimacy',
  title: 'Legitimacy of a candidate action',
  description:
    "Scores whether an action would be justified in a pocket now, by the service's own rule. Use it before sending anybody anything; for the day use get_legitimacy_index_today. Returns legitimacy_score (0-100), band, recommendation, reasoning, factors and gates, or available false where too little was read. user_id is never read; nothing of user_context is kept.",
  input: {
    pocket_id: pocketId,
    candidate_action: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'short name of the action, for example lunch_nudge',
    }),
    user_context: Type.Optional(userContext),
    merchant_context: Type.Optional(merchantContext),
    channel: Type.Optional(Type.String({ maxLength: 80, description: 'a hint such as push, email or sms' })),
  },
  output: Type.Union([
    Type.Object({
      ...echoed,
      legitimacy_score: legitimacyScore,
      band: legitimacyBand,
      recommendation: Type.Enum([...recommendations]),
      reasoning: Type.Array(Type.String(), {
        description: 'overrides first, then what costs the score most',
      }),
      factors: Type.Record(Type.Enum([...legitimacyFactors]), unit),
      gates: gateResults,
      vindication_window_end: timestamp,
      computed_at: timestamp,
    }),
    Type.Object({ ...echoed, available: unavailable }),
  ]),
  effect: 'read',
  cache: false,
  load: async ({ pocket_id }, { store, now }) => ({
    now,
    situation: await currentSituation(store, pocket_id, now),
  }),
  shape: ({ now, situation }, input) => {
    const { pocket_id, candidate_action, user_context = {}, merchant_context } = input;
    const channel = input.channel || null;
    if (!situation) return { pocket_id, candidate_action, channel, available: false as const };
    const { fatigue_score, last_dismissal_at } = user_context;
    const fatigue = fatigueOf(
      {
        ...(fatigue_score !== undefined && { fatigue_score }),
        ...(last_dismissal_at !== undefined && { last_dismissal_at: Date.parse(last_dismissal_at) }),
      },
      now,
    );
    const merchant_pressure = merchant_context?.idle_pressure;
    const { legitimacy, gates } = weigh({ ...situation, ...situation.surroundings }, situation, {
      fatigue,
      ...(merchant_pressure !== undefined && { merchant_pressure }),
    });
    return {
      pocket_id,
      candidate_action,
      channel,
      ...legitimacy,
      gates,
      vindication_window_end: iso(now + VINDICATION_WINDOW),
      computed_at: iso(now),
    };
  },
  speak: (answer, { pocket_id, candidate_action }) => {
    if ('available' in answer) {
      return `no moment composable for ${printable(pocket_id)} — substrate may be thin. without one no action can be scored.`;
    }
    const closed = gates.filter((gate) => !answer.gates[gate].passed);
    return [
      `'${printable(candidate_action)}' in ${pocket_id}: legitimacy ${answer.legitimacy_score} of 100, ${answer.band}; recommendation ${answer.recommendation}.`,
      `${answer.reasoning.join('. ')}.`,
      closed.length
        ? `gates that would close: ${closed.map((gate) => `${gate} (${answer.gates[gate].score})`).join(', ')}.`
        : 'all seven gates would open.',
      `what follows can be judged from ${answer.vindication_window_end} on.`,
    ].join(' ');
  },
  rest: { path: '/api/legitimacy', method: 'POST', limit: 'legitimacy' },
});
