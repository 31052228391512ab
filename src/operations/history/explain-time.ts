// For assistants: what was said or not said of a pocket at a time that has passed, nights included, and why.

import Type from 'typebox';
import { noMomentReason } from '../../domain/atmosphere/no-moment.ts';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { draftCandidate, weigh } from '../../domain/decision/decide.ts';
import { decisionId } from '../../domain/decision/silence.ts';
import {
  findSilenceReason,
  pauseKinds,
  type Reason,
  reasonText,
} from '../../domain/decision/silence-reason.ts';
import { decisionRuns } from '../../domain/report/decision-runs.ts';
import { namedTime, TIME_FORMS } from '../../domain/time/named-time.ts';
import { HOUR, iso, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import {
  type DecisionType,
  emissionById,
  listDecisions,
  silenceById,
} from '../../store/decision/explanations.ts';
import { linesSince } from '../../store/decision/packages.ts';
import { readVerdict } from '../../store/decision/verdicts.ts';
import { crowdGapsBetween } from '../../store/observation/crowd-record.ts';
import { substrateTraceAt } from '../../store/observation/substrate-trace.ts';
import { nullable, primaryState, timeField, timestamp, unit, unitField } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext, Refused } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { anyReason } from '../decision/decision-fields.ts';

/** Decisions this long before and after the time are told in short. */
const AROUND = 3 * HOUR;

const kinds = ['emit', 'silence', ...pauseKinds, 'no_moment'] as const;
type Kind = (typeof kinds)[number];

const decisionTypes: readonly DecisionType[] = ['emit', 'silence', ...pauseKinds];
/** More than there are quarter hours around a time. */
const MAX_DECISIONS = 100;

const lineKinds = ['said', 'drafted', 'would_have_been_drafted'] as const;

const decisionRun = Type.Object({
  from: timestamp,
  to: timestamp,
  kind: Type.Enum([...kinds], { description: 'what was decided, or why nothing was' }),
  reason_text: nullable(Type.String()),
  line: Type.Union([Type.String(), Type.Null()], { description: 'the line that was said' }),
});

export const explainTime = defineOperation({
  name: 'explain_time',
  title: 'What was said at a time, and why',
  description:
    'Tells what was said or not said about a pocket at a past time, nights included, and why. Use it for "why were you silent last night?" or "what would have been said at three?". Not for now (get_pocket_silence) or plans (plan_visit). Returns at, kind, reason, reason_text, line, withheld_because, moment, was_it_right, around and explanation.',
  toolsets: ['visitor', 'record'],
  tool: 'on_request',
  input: {
    pocket_id: pocketId,
    at: Type.String({
      minLength: 1,
      maxLength: 40,
      default: 'now',
      description: `${TIME_FORMS}; {city} time`,
    }),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    at: timeField('the quarter hour that the time lies in'),
    kind: Type.Enum([...kinds], {
      description:
        'quiet_hours and already_speaking: nothing was decided; no_moment: too little was observed',
    }),
    reason: Type.Union([anyReason, Type.Null()], { description: 'null where the line was said' }),
    reason_text: nullable(Type.String()),
    line: Type.Union(
      [
        Type.Object({
          text: Type.String(),
          status: Type.Enum([...lineKinds], {
            description:
              'would_have_been_drafted: nothing is drafted in a pause; this is the line of that moment, composed now',
          }),
        }),
        Type.Null(),
      ],
      { description: 'the line of that moment; null where there was none to tell' },
    ),
    withheld_because: Type.Union([Type.String(), Type.Null()], {
      description:
        'of a pause: why the line would have been withheld all the same; null where every gate was open',
    }),
    moment: nullable(
      Type.Object({
        primary_state: primaryState,
        calm_level: unitField('level of calm then'),
        calm_probability: unit,
      }),
    ),
    was_it_right: Type.Union(
      [
        Type.Object({
          right: Type.Union([Type.Boolean(), Type.Null()], {
            description: 'null where it could not be decided',
          }),
          reason: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'null while it is not judged, and where nothing was decided' },
    ),
    around: Type.Array(decisionRun, { description: 'three hours before and after, in the order of time' }),
    explanation: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
      description: 'the decision in full; null where nothing was observed',
    }),
  }),
  rows: () => 0,
  seen: ({ at }) => ({ from: Date.parse(at), to: Date.parse(at) + SLOT }),
  load: async ({ pocket_id, at: asked }, context) => {
    const { store, now, zone, registry, baseUrl } = context;
    const at = namedTime(asked, now, zone, 'past');
    if (at === null) throw new Refused(`at must be ${TIME_FORMS}`);
    if (at > now) throw new Refused(`at must not be in the future: it is ${iso(now)} now`);
    // Of a pocket that does not exist nothing was observed; the answer is marked as one about an unknown name.
    const pocket = findPocket(registry, pocket_id) ?? { name: pocket_id, expects: [] };
    const [after, until] = [slotStart(at) - AROUND - 1, Math.min(slotStart(at) + AROUND, now)];
    const filter = { after, until, pocket: pocket_id, types: decisionTypes };
    const decisions = await listDecisions(store, filter, MAX_DECISIONS);
    // The current quarter hour may still be computed: until it is, the one before it is told.
    const isComputed = slotStart(at) < slotStart(now) || decisions.some(({ slot }) => slot === slotStart(at));
    const slot = isComputed ? slotStart(at) : slotStart(at) - SLOT;
    const [lines, measured, trace] = await Promise.all([
      linesSince(store, pocket_id, after, until),
      crowdGapsBetween(store, pocket_id, after, until),
      substrateTraceAt(store, pocket_id, slot),
    ]);
    const bySlot = new Map(
      decisions.map(({ slot, type, reason }) => [slot, { slot, kind: type as Kind, reason }]),
    );
    const decidedAt = (time: number) =>
      bySlot.get(time) ?? {
        ...{ slot: time, kind: 'no_moment' as const },
        reason: noMomentReason(pocket.expects, measured(time)) as Reason,
      };
    const slots: number[] = [];
    for (let time = slotStart(at) - AROUND; time <= until; time += SLOT) slots.push(time);
    const decided = decidedAt(slot);
    return {
      ...{ pocket, slot, trace, decided, baseUrl, zone },
      runs: decisionRuns(slots.filter((time) => time < slotStart(now) || bySlot.has(time)).map(decidedAt)),
      said: new Map(lines.map(({ slot: time, composed_text }) => [time, composed_text])),
      ...(await sealedPart(context, decided.kind, decisionId(pocket_id, slot))),
    };
  },
  shape: (data, { pocket_id }) => {
    const { slot, decided, trace, said, runs, drafted, verdict, baseUrl } = data;
    const { kind, reason } = decided;
    const paused = composePausedLine(data);
    const text = kind === 'emit' ? (said.get(slot) ?? null) : drafted;
    return {
      ...{ pocket_id, at: iso(slot), kind, reason },
      reason_text: reason === null ? null : reasonText[reason],
      line:
        text === null
          ? paused && { text: paused.text, status: 'would_have_been_drafted' as const }
          : { text, status: kind === 'emit' ? ('said' as const) : ('drafted' as const) },
      withheld_because: paused?.reason ?? null,
      moment: trace.moment && {
        primary_state: trace.moment.moment.primary_state,
        calm_level: trace.moment.moment.calm_level,
        calm_probability: trace.moment.moment.calm_probability,
      },
      was_it_right: verdict && { right: verdict.right, reason: verdict.reason },
      around: runs.map((run) => ({
        ...{ from: iso(run.from), to: iso(run.to), kind: run.kind },
        reason_text: run.reason === null ? null : reasonText[run.reason],
        line: run.kind === 'emit' ? (said.get(run.from) ?? null) : null,
      })),
      explanation:
        kind === 'no_moment' ? null : `${baseUrl}/explanations/${kind}:${decisionId(pocket_id, slot)}`,
    };
  },
  speak: (
    { pocket_id, at, kind, reason_text, line, withheld_because, moment, was_it_right, around, explanation },
    _given,
    zone,
  ) => {
    const clock = (time: string) => zone.clockWithZone(Date.parse(time));
    const head = `${pocket_id} at ${clock(at)} on ${zone.localDate(Date.parse(at))}: ${kind === 'emit' ? 'a line was said' : `nothing was said, because ${reason_text}`}.`;
    const state = moment && `it was ${moment.primary_state.replace('-', ' and ')} then.`;
    const told: Record<(typeof lineKinds)[number], string> = {
      said: 'the line',
      drafted: 'the line that was drafted and withheld',
      would_have_been_drafted: 'nothing was drafted; the line of that moment would have been',
    };
    return [
      head,
      ...(state ? [state] : []),
      ...(line ? [`${told[line.status]}: '${line.text}'`] : []),
      ...(line?.status === 'would_have_been_drafted'
        ? [
            withheld_because === null
              ? 'at a waking hour every gate would have been open.'
              : `it would have been withheld all the same: ${withheld_because}.`,
          ]
        : []),
      ...(was_it_right
        ? [
            `judged later: ${was_it_right.right === null ? 'not decided' : was_it_right.right ? 'right' : 'wrong'}; ${was_it_right.reason}.`,
          ]
        : []),
      'the hours around it:',
      ...around.map(
        ({ from, to, kind: one, reason_text: why, line: text }) =>
          `${clock(from)} to ${clock(to)}: ${one === 'emit' ? `said '${text ?? ''}'` : `silent, because ${why}`}`,
      ),
      ...(explanation ? [`in full: ${explanation}`] : []),
    ].join('\n');
  },
});

type Loaded = {
  pocket: { name: string };
  zone: Zone;
  trace: Awaited<ReturnType<typeof substrateTraceAt>>;
  decided: { kind: Kind };
};

/** Of a pause: the line of its moment, and the reason that would have withheld it; null elsewhere. */
function composePausedLine({ pocket, zone, trace: { moment, reading }, decided: { kind } }: Loaded) {
  if (!(pauseKinds as readonly string[]).includes(kind) || !moment || !reading) return null;
  const situation = { ...moment.surroundings, moment: moment.moment, reading };
  const text = draftCandidate(pocket.name, situation, zone);
  const weighing = weigh(situation, moment);
  const reason = findSilenceReason({ ...moment, ...weighing, moment: moment.moment, line: text });
  return { text, reason: reason && reasonText[reason] };
}

/** The line that was drafted and withheld, and the verdict on the decision. */
async function sealedPart({ store }: OperationContext, kind: Kind, id: string) {
  const silence = kind === 'silence' ? await silenceById(store, id) : null;
  const emission = kind === 'emit' ? await emissionById(store, id) : null;
  return {
    drafted: silence?.payload.candidate_emission_text ?? null,
    verdict: silence || emission ? await readVerdict(store, id) : null,
  };
}
