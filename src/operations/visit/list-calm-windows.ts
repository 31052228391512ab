// Where to go and when: the one question behind the first page and the comparison of pockets.
import Type from 'typebox';
import { SUITS_IN_PART } from '../../domain/city/intent.ts';
import { nextHour } from '../../domain/prediction/calm-window.ts';
import { quoted } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { currentConditions } from '../../store/observation/current-conditions.ts';
import { defineOperation } from '../core/define.ts';
import { loadNetwork, networkAnswer } from '../pocket/get-network-now.ts';
import { alignmentsOf, calmestFirst, intentNamed, pocketsNamed } from './choose-pockets.ts';
import { type VisitRow, visitAnswer } from './visit-fields.ts';
import { calmAtHour, type HourCalm, loadListed, visitRowOf } from './visit-rows.ts';

/** Pockets on one page of the list. */
export const PAGE_OF_POCKETS = 100;

export const visitOrders = ['calm', 'name'] as const;

const input = {
  q: Type.String({ maxLength: 80, default: '', description: 'name of a place, as a person would write it' }),
  sort: Type.Enum([...visitOrders], {
    default: 'calm',
    description: 'calm: the calmest first, now or at the hour asked for; with q, the best match comes first',
  }),
  hour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      description: 'hour of the clock in {city}, the next time it comes',
    }),
  ),
  intent: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'only pockets that suit this intent, at least in part',
    }),
  ),
  pockets: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: PAGE_OF_POCKETS,
      description: 'only these pockets, in this order: pocket ids with commas between them',
    }),
  ),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'pockets to skip' }),
  limit: Type.Integer({
    minimum: 1,
    maximum: PAGE_OF_POCKETS,
    default: PAGE_OF_POCKETS,
    description: 'pockets to list at most',
  }),
};

export const listCalmWindows = defineOperation({
  name: 'list_calm_windows',
  title: 'Where it is calm, now and when',
  description:
    'Answers "should I go there now, and if not, when?" for many pockets. Use it to list, search or compare places. Returns pockets [{pocket_id, name, primary_state, calm_level, usual_calm, against_usual, best_window {at, calm_probability}, usually_calm_at, advice, at_hour, intent_alignment, rain_mm, temperature_c, …}], total and suggestions. Windows come from sealed forecasts of three hours; usually_calm_at is what is usual, not a forecast.',
  input,
  output: visitAnswer,
  effect: 'read',
  tool: false,
  // As many as pockets are listed, in a few statements by index: not work for the queue.
  rows: () => 0,
  load: async (asked, context) => {
    const { registry, now, zone, lookup, store } = context;
    const intent = intentNamed(asked.intent, registry.intents);
    const named = pocketsNamed(asked, registry.pockets, lookup);
    const at = asked.hour === undefined ? null : nextHour(now, asked.hour, zone);
    // Pockets that are asked for by id are read alone: a page of one must not read a city of thousands.
    const network = networkAnswer(await loadNetwork(context, asked.pockets && named), zone);
    const byId = new Map(network.pockets.map((row) => [row.pocket_id, row]));
    const rows = named ? named.flatMap((id) => byId.get(id) ?? []) : network.pockets;
    // A statement names at most so many pockets; beyond that all are read.
    const ids = rows.length <= PAGE_OF_POCKETS ? rows.map(({ pocket_id }) => pocket_id) : undefined;
    const atHour = at === null ? new Map<string, HourCalm>() : await calmAtHour(context, at, ids);
    const alignments = intent
      ? alignmentsOf(intent, rows, await currentConditions(store, now, ids), context, at, atHour)
      : new Map<string, number>();
    const suited = intent
      ? rows.filter(({ pocket_id }) => (alignments.get(pocket_id) ?? 0) >= SUITS_IN_PART)
      : rows;
    const ordered =
      named || asked.sort === 'name'
        ? suited
        : calmestFirst(suited, ({ pocket_id, calm_level }) =>
            at === null ? calm_level : atHour.get(pocket_id)?.calm_level,
          );
    const listed = ordered.slice(asked.offset, asked.offset + asked.limit);
    const listedData = await loadListed(
      context,
      listed.map(({ pocket_id }) => pocket_id),
    );
    return {
      ...{ network, at, listed, data: { ...listedData, atHour, alignments } },
      total: ordered.length,
      suggestions: named && !rows.length ? lookup.suggest(asked.q) : [],
    };
  },
  shape: ({ network, at, total, listed, suggestions, data }, { offset }, zone) => ({
    captured_at: network.captured_at,
    at: at === null ? null : iso(at),
    pocket_count: network.pockets.length,
    speaking_count: network.speaking_count,
    silent_count: network.silent_count,
    unread_count: network.unread_count,
    learning: network.learning,
    ...{ total, offset },
    pockets: listed.map((row) => visitRowOf(row, data, zone)),
    suggestions,
  }),
  speak: ({ pockets, total }, { q }, zone) => {
    if (!pockets.length) return q ? `no pocket matches ${quoted(q)}.` : 'no pocket matches.';
    const lines = pockets.slice(0, 5).map((row) => spoken(row, zone));
    return [`${total} pockets match; the first of them:`, ...lines].join('\n');
  },
  rest: { path: '/api/windows', names: { hour: 'at' } },
});

function spoken(
  { pocket_id, calm_level, usual_calm, best_window, usually_calm_at }: VisitRow,
  zone: Zone,
): string {
  const clock = (time: string) => zone.clockWithZone(Date.parse(time));
  return [
    `${pocket_id}: ${calm_level === null ? 'not read' : `calm level ${calm_level}`}`,
    usual_calm === null ? 'its usual not known yet' : `usually ${usual_calm} at this hour`,
    ...(best_window
      ? [`best at ${clock(best_window.at)}, calm probability ${best_window.calm_probability}`]
      : []),
    ...(usually_calm_at ? [`usually calm from ${clock(usually_calm_at.at)}`] : []),
  ].join('; ');
}
