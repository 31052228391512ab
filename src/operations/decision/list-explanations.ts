import Type, { type Static } from 'typebox';
import { pauseKinds } from '../../domain/decision/silence-reason.ts';
import { decisionLine } from '../../domain/decision/silence-text.ts';
import { countText } from '../../domain/text/count-text.ts';
import { iso } from '../../domain/time/slot.ts';
import { namedWindow } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import {
  countDecisions,
  type DecisionSummary,
  type DecisionType,
  listDecisions,
} from '../../store/decision/explanations.ts';
import { countField, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, rowLimit } from '../core/fields.ts';
import { cutPage, slotPosition, textPosition } from '../core/list-options.ts';
import { rowsAndColumnsOfAll } from '../core/rows-of-all.ts';
import { anyReason } from './decision-fields.ts';

const typesOf: Record<'emit' | 'silence' | 'all', readonly DecisionType[]> = {
  all: ['silence', 'emit', ...pauseKinds],
  silence: ['silence'],
  emit: ['emit'],
};

const decisionTypes = ['emit', 'silence', 'all'] as const;
const windows = ['24h', '7d', '30d'] as const;

/** Fields that this list shares with get_explanation. */
export const decisionHead = Type.Object({
  id: Type.String({ description: 'the type, a colon, then the pocket and the slot' }),
  type: Type.Enum(['emit', 'silence', ...pauseKinds]),
  pocket_id: Type.String(),
  decision: Type.Enum(['emit', 'remain_silent', ...pauseKinds], {
    description: 'quiet_hours and already_speaking: nothing was decided',
  }),
  reason: Type.Union([anyReason, Type.Null()], { description: 'null where the line was said' }),
  summary: Type.String({ description: 'one line that says why' }),
  permalink: Type.String({ format: 'uri' }),
  decided_at: timestamp,
});

export const listExplanations = defineOperation({
  name: 'list_explanations',
  title: 'Decisions and why they were taken',
  description:
    'Lists decisions to speak or to stay silent, each with a line that says why. Use it to follow what the service decided; the detail of one is at /api/explanations/{id}. With decision_type all it also lists the quarter hours at which nothing was decided: quiet_hours (23:00 to 07:00) and already_speaking (its own line was still live). Returns since, decision_type, count of all that the filter selects, and items, newest first: {id, type, pocket_id, decision, reason, summary, permalink, decided_at}.',
  input: {
    pocket_id: Type.Optional(pocketId),
    decision_type: Type.Enum([...decisionTypes], { default: 'all', description: 'which outcome' }),
    since: Type.Enum([...windows], { default: '24h', description: 'how far back' }),
    limit: rowLimit,
  },
  output: Type.Object({
    since: Type.Enum([...windows]),
    decision_type: Type.Enum([...decisionTypes]),
    count: countField('decisions that the filter selects, listed or not'),
    items: Type.Array(decisionHead),
  }),
  list: 'items',
  position: { slot: slotPosition, pocket: textPosition, type: Type.Enum([...typesOf.all]) },
  rows: ({ limit }, registry) => rowsAndColumnsOfAll(limit, registry),
  load: async ({ pocket_id, decision_type, since, limit }, { store, now, baseUrl }, from) => {
    const filter = { ...namedWindow(since, now), pocket: pocket_id, types: typesOf[decision_type] };
    const { rows: decided, last } = cutPage(await listDecisions(store, filter, limit + 1, from), limit);
    return { count: await countDecisions(store, filter), decided, last, baseUrl };
  },
  next: ({ last }) => last && { slot: last.slot, pocket: last.pocket_id, type: last.type },
  shape: ({ count, decided, baseUrl }, { since, decision_type }, zone) => ({
    since,
    decision_type,
    count,
    items: decided.map((decision) => describeDecision(decision, baseUrl, zone)),
  }),
  speak: ({ count, items }, { since }) =>
    [
      `${countText(count, 'decision')} over the last ${since}; the newest ${items.length === 1 ? 'is' : `${items.length} are`} listed.`,
      ...items.slice(0, 5).map(({ summary }) => summary),
    ].join('\n'),
  rest: { path: '/api/explanations', names: { pocket_id: 'pocket' } },
});

export function describeDecision(
  decision: DecisionSummary,
  baseUrl: string,
  zone: Zone,
): Static<typeof decisionHead> {
  const id = `${decision.type}:${decision.id}`;
  return {
    id,
    type: decision.type,
    pocket_id: decision.pocket_id,
    decision: decision.type === 'silence' ? 'remain_silent' : decision.type,
    reason: decision.reason,
    summary: decisionLine(decision, zone),
    permalink: `${baseUrl}/explanations/${id}`,
    decided_at: iso(decision.slot),
  };
}
