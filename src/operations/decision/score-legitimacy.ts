import Type from 'typebox';
import { findOutlet, findPocket } from '../../domain/city/lists/find-entries.ts';
import {
  channelCost,
  effectiveSaturation,
  personFatigue,
  REPETITION_WINDOW,
  repetitionScore,
} from '../../domain/decision/attention.ts';
import { weigh } from '../../domain/decision/decide.ts';
import { gates } from '../../domain/decision/gates.ts';
import { legitimacyFactors, merchantPressure, recommendations } from '../../domain/decision/legitimacy.ts';
import { type StandIn, standInFor } from '../../domain/merchant/spare-capacity.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso, MINUTE } from '../../domain/time/slot.ts';
import { WITHOUT_WINDOW } from '../../domain/window/calm-window.ts';
import { linesSince } from '../../store/decision/packages.ts';
import { currentSituation } from '../../store/decision/situation.ts';
import { outletActivityAt } from '../../store/observation/outlet-activity.ts';
import { nullable, timeField, timestamp, unavailable, unit } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext, Refused } from '../core/define.ts';
import { pocketId, shortText } from '../core/fields.ts';
import { loadMissingFields, missing, missingSentence } from '../pocket/missing-crowd.ts';
import { gateResults, legitimacyBand, legitimacyScore } from './decision-fields.ts';
import { serviceStance, whyDifferent } from './service-stance.ts';

const share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }));

const userContext = Type.Object(
  {
    user_id: Type.Optional(Type.String({ description: 'never read: it changes nothing' })),
    fatigue_score: share(
      "how tired of messages they are; by default the pocket's, from the lines of the last day",
    ),
    last_dismissal_at: Type.Optional(timeField('when they last dismissed a message; not in the future')),
  },
  {
    additionalProperties: true,
    description: 'who would be addressed; used for this answer and then forgotten',
  },
);

const merchantContext = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        description:
          'outlet id; stands for the mean of its category in its pocket, or of the pocket under five open',
      }),
    ),
    idle_pressure: share(
      'how much an idle outlet presses for it; by default from the spare capacity of the outlets',
    ),
  },
  { additionalProperties: true, description: 'on whose behalf' },
);

/** A dismissal of just now, by a clock that is a little ahead of ours, is no mistake. */
const CLOCKS_DIFFER = MINUTE;

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
    "Scores whether an action that you describe would be justified in a pocket now. Use it before sending anybody anything. Not for the day as a whole (get_legitimacy_index_today) or the service's own silence (get_pocket_silence). Returns service_would_speak, closed_gates, why_different, legitimacy_score (0-100), band, recommendation, reasoning, factors and gates, or available false. user_id is never read; user_context is never kept.",
  toolsets: ['merchant'],
  input: {
    pocket_id: pocketId,
    candidate_action: shortText(200, 'short name of the action, for example lunch_nudge'),
    user_context: Type.Optional(userContext),
    merchant_context: Type.Optional(merchantContext),
    channel: Type.Optional(
      Type.String({
        maxLength: 80,
        description:
          'how it would be sent: feed, email, in_app, messaging, push, sms or call; others count as feed',
      }),
    ),
  },
  output: Type.Union([
    Type.Object({
      ...echoed,
      service_would_speak: Type.Boolean({
        description:
          'whether the service would publish its own line now: every gate open, none of its lines live',
      }),
      service_silent_because: nullable(
        Type.String({ description: 'what keeps the service silent; null when it would speak' }),
      ),
      closed_gates: Type.Array(Type.Enum([...gates]), {
        description: 'the gates that this action would meet closed',
      }),
      why_different: nullable(
        Type.String({ description: 'why the recommendation differs from what the service would do' }),
      ),
      legitimacy_score: legitimacyScore,
      band: legitimacyBand,
      recommendation: Type.Enum([...recommendations]),
      reasoning: Type.Array(Type.String(), {
        description: 'overrides first, then the factors, the one that costs the score most first, then notes',
      }),
      factors: Type.Record(Type.Enum([...legitimacyFactors]), unit),
      gates: gateResults,
      vindication_window_end: timestamp,
      computed_at: timestamp,
    }),
    Type.Object({ ...echoed, available: unavailable, missing: Type.Optional(missing) }),
  ]),
  cache: false,
  load: async ({ pocket_id, user_context, merchant_context }, context) => {
    const { store, registry, now, zone } = context;
    const dismissed = user_context?.last_dismissal_at;
    if (dismissed !== undefined && Date.parse(dismissed) > now + CLOCKS_DIFFER)
      throw new Refused('user_context.last_dismissal_at must not be in the future');
    const situation = await currentSituation(store, pocket_id, now);
    const lines = await linesSince(store, pocket_id, now - REPETITION_WINDOW, now);
    const asked = merchant_context?.idle_pressure === undefined ? merchant_context?.id : undefined;
    const merchant =
      situation && asked !== undefined
        ? await merchantStandIn({ store, registry, zone }, asked, situation.slot)
        : null;
    const name = findPocket(registry, pocket_id)?.name ?? pocket_id;
    const lacks = situation ? {} : await loadMissingFields(context, pocket_id);
    return { now, name, situation, lines, merchant, lacks };
  },
  shape: ({ now, name, situation, lines, merchant, lacks }, input, zone) => {
    const { pocket_id, candidate_action, user_context = {}, merchant_context } = input;
    const channel = input.channel || null;
    const echo = { pocket_id, candidate_action, channel };
    if (!situation) return { ...echo, available: false as const, ...lacks };
    const { fatigue_score, last_dismissal_at } = user_context;
    const fatigue = personFatigue(
      {
        ...(fatigue_score !== undefined && { fatigue_score }),
        ...(last_dismissal_at !== undefined && { last_dismissal_at: Date.parse(last_dismissal_at) }),
      },
      situation.surroundings.fatigue,
      now,
    );
    const merchant_pressure =
      merchant_context?.idle_pressure ??
      (merchant && merchant !== 'unknown' ? merchantPressure(merchant.spare_capacity) : undefined);
    const heard = situation.moment.signal_saturation;
    const repetition = repetitionScore(candidate_action, lines, name, now);
    const saturation = effectiveSaturation(heard, { channel_cost: channelCost(channel), repetition });
    const { legitimacy, gates: results } = weigh({ ...situation, ...situation.surroundings }, situation, {
      fatigue,
      saturation,
      ...(merchant_pressure !== undefined && { merchant_pressure }),
    });
    const live_until = lines.findLast(({ expires_at }) => expires_at > now)?.expires_at ?? null;
    const stance = serviceStance(name, situation, live_until, now, zone);
    return {
      ...echo,
      service_would_speak: stance.silent_because === null,
      service_silent_because: stance.silent_because,
      closed_gates: gates.filter((gate) => !results[gate].passed),
      why_different: whyDifferent(legitimacy, stance),
      ...legitimacy,
      reasoning: [
        ...legitimacy.reasoning,
        ...(saturation > heard
          ? ['saturation is higher than what was said here makes it: the channel or repeating it adds to it']
          : []),
        ...(merchant ? [merchantNotes[merchant === 'unknown' ? merchant : merchant.basis]] : []),
      ],
      gates: results,
      vindication_window_end: iso(now + WITHOUT_WINDOW),
      computed_at: iso(now),
    };
  },
  speak: (answer, { pocket_id, candidate_action }) => {
    if ('available' in answer) {
      return `not enough recent data for ${printable(pocket_id)}: without a moment no action can be scored.${missingSentence(answer)}`;
    }
    const { service_silent_because, closed_gates, why_different } = answer;
    return [
      `the service itself would ${service_silent_because === null ? 'speak' : 'stay silent'} in ${pocket_id} now${service_silent_because === null ? '' : `: ${service_silent_because}`}.`,
      closed_gates.length ? `closed gates: ${closed_gates.join(', ')}.` : 'all seven gates are open.',
      `'${printable(candidate_action)}': legitimacy ${answer.legitimacy_score} of 100, ${answer.band}; recommendation ${answer.recommendation}.`,
      ...(why_different ? [`${why_different}.`] : []),
      `${answer.reasoning.join('. ')}.`,
      `the outcome can be judged from ${answer.vindication_window_end} on.`,
    ].join(' ');
  },
  rest: { path: '/api/legitimacy', method: 'POST', limit: 'legitimacy' },
});

const merchantNotes: Record<StandIn['basis'] | 'unknown', string> = {
  category: 'merchant_pressure is the mean of the open outlets of that category in its pocket',
  pocket:
    'merchant_pressure is the mean of the open outlets of its pocket: fewer than five of its category are open',
  unknown: 'no active outlet has that merchant id: merchant_pressure is that of the pocket',
};

/** What stands for a merchant, so that no single outlet's state can be read from the score. */
async function merchantStandIn(
  { store, registry, zone }: Pick<OperationContext, 'store' | 'registry' | 'zone'>,
  id: string,
  slot: number,
): Promise<StandIn | 'unknown'> {
  const outlet = findOutlet(registry, id);
  if (!outlet?.active) return 'unknown';
  const rows = await outletActivityAt(store, slot);
  return standInFor(
    outlet,
    registry.outlets,
    new Map(rows.map(({ outlet_id, activity }) => [outlet_id, activity])),
    slot,
    zone,
  );
}
