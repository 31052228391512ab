// Where to go and when: the one question behind the first page and the comparison of pockets.
import Type from 'typebox';
import { chanceText } from '../../domain/atmosphere/calm-band.ts';
import { SUITS_IN_PART } from '../../domain/city/intent.ts';
import { quoted } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { isWaking } from '../../domain/time/waking-hours.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type ExpectedCalm, expectedAt } from '../../domain/window/pocket-outlook.ts';
import { askedTime } from '../../domain/window/visit.ts';
import { currentConditions } from '../../store/observation/current-conditions.ts';
import { defineOperation, type OperationContext, Refused } from '../core/define.ts';
import { localDate } from '../history/history-fields.ts';
import { loadNetwork, networkAnswer } from '../pocket/get-network-now.ts';
import { alignmentsOf, choosePockets, intentNamed, likeliestFirst } from './choose-pockets.ts';
import { loadOutlooksAt, outlookOf } from './load-outlooks.ts';
import { type VisitRow, visitAnswer } from './visit-fields.ts';
import { loadListed, visitRowOf } from './visit-rows.ts';

/** Pockets on one page of the list. */
export const PAGE_OF_POCKETS = 100;

export const visitOrders = ['calm', 'name', 'near'] as const;

const input = {
  q: Type.String({ maxLength: 80, default: '', description: 'name of a place, as a person would write it' }),
  order: Type.Enum([...visitOrders], {
    default: 'calm',
    description:
      'calm: the most likely calm first, now or at the time asked for; with q, the best match comes first, with near the nearest; near without a place is by name, for a reader who knows where they are',
  }),
  near: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'name of a station, street, landmark or pocket of {city}: the nearest pockets come first',
    }),
  ),
  day: Type.Optional(localDate),
  hour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      description: 'hour of the clock in {city}, of that day or the next time it comes',
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
    'Answers "should I go there, and when?" for many pockets, now or at a day and hour within a week. Use it to list, search or compare places. Returns pockets [{pocket_id, name, primary_state, calm_level, usual_calm, against_usual, expected {at, basis, calm_probability}, window {starts_at, ends_at}, next_window, advice, open_kinds, intent_alignment, rain_mm, temperature_c, …}], total and suggestions. Up to three hours ahead figures come from sealed forecasts (basis forecast), beyond that from how often that hour of the week was calm (basis usual).',
  input,
  output: visitAnswer,
  effect: 'read',
  tool: false,
  // As many as pockets are listed, in a few statements by index: not work for the queue.
  rows: () => 0,
  load: async (asked, context) => {
    const { registry, now, zone, lookup, store } = context;
    const intent = intentNamed(asked.intent, registry.intents);
    const { named, place } = choosePockets(asked, registry, lookup);
    const at = timeOf(asked, context);
    // Pockets that are asked for by id are read alone: a page of one must not read a city of thousands.
    const network = networkAnswer(await loadNetwork(context, asked.pockets && named), zone);
    const byId = new Map(network.pockets.map((row) => [row.pocket_id, row]));
    const rows = named ? named.flatMap((id) => byId.get(id) ?? []) : network.pockets;
    // A statement names at most so many pockets; beyond that all are read.
    const ids = rows.length <= PAGE_OF_POCKETS ? rows.map(({ pocket_id }) => pocket_id) : undefined;
    const expected =
      at === null ? new Map<string, ExpectedCalm>() : await expectedThen(context, at, rows, ids);
    const alignments = intent
      ? alignmentsOf(intent, rows, await currentConditions(store, now, ids), context, at, expected)
      : new Map<string, number>();
    const suited = intent
      ? rows.filter(({ pocket_id }) => (alignments.get(pocket_id) ?? 0) >= SUITS_IN_PART)
      : rows;
    const ordered =
      named || asked.order !== 'calm'
        ? suited
        : likeliestFirst(suited, ({ pocket_id, calm_probability }) =>
            at === null ? calm_probability : expected.get(pocket_id)?.calm_probability,
          );
    const listed = ordered.slice(asked.offset, asked.offset + asked.limit);
    const listedData = await loadListed(
      context,
      listed.map(({ pocket_id }) => pocket_id),
    );
    return {
      ...{ network, at, listed, now, data: { ...listedData, at, place, alignments } },
      place,
      total: ordered.length,
      suggestions: named && !rows.length ? lookup.suggest(asked.q) : [],
    };
  },
  shape: ({ network, at, now, place, total, listed, suggestions, data }, { offset }, zone) => ({
    captured_at: network.captured_at,
    at: at === null ? null : iso(at),
    night: !isWaking(at ?? now, zone),
    pocket_count: network.pockets.length,
    speaking_count: network.speaking_count,
    silent_count: network.silent_count,
    unread_count: network.unread_count,
    learning: network.learning,
    place: place && { name: place.name, kind: place.kind, lat: place.lat, lng: place.lng },
    ...{ total, offset },
    pockets: listed.map((row) => visitRowOf(row, data)),
    suggestions,
  }),
  speak: ({ pockets, total }, { q }, zone) => {
    if (!pockets.length) return q ? `no pocket matches ${quoted(q)}.` : 'no pocket matches.';
    const lines = pockets.slice(0, 5).map((row) => spoken(row, zone));
    return [`${total} pockets match; the first of them:`, ...lines].join('\n');
  },
  rest: { path: '/api/windows', names: { hour: 'at' } },
});

function timeOf(
  { day, hour }: { day?: string; hour?: number },
  { now, zone }: Pick<OperationContext, 'now' | 'zone'>,
): number | null {
  const at = askedTime(now, { day, hour }, zone);
  if (typeof at === 'string') throw new Refused(at);
  return at;
}

/** What is expected of each pocket at a time. */
async function expectedThen(
  context: OperationContext,
  at: number,
  rows: readonly { pocket_id: string }[],
  ids: readonly string[] | undefined,
): Promise<Map<string, ExpectedCalm>> {
  const loaded = await loadOutlooksAt(context, at, ids);
  return new Map(
    rows.flatMap(({ pocket_id }) => {
      const expected = expectedAt(outlookOf(loaded, pocket_id), at);
      return expected ? [[pocket_id, expected] as const] : [];
    }),
  );
}

function spoken({ pocket_id, expected, window, next_window: next }: VisitRow, zone: Zone): string {
  const clock = (time: string) => zone.clockWithZone(Date.parse(time));
  const until = window ? `, ${window.at_least ? 'at least ' : ''}until ${clock(window.ends_at)}` : '';
  const chance = expected
    ? `${chanceText(expected.calm_probability)}${expected.basis === 'usual' ? ' by its usual' : ''}${until}`
    : 'not known';
  const then = next
    ? [
        `${next.basis === 'usual' ? 'usually' : 'likely'} calm on ${zone.dateOf(Date.parse(next.starts_at))} from ${clock(next.starts_at)} to ${clock(next.ends_at)}`,
      ]
    : [];
  return [`${pocket_id}: ${chance}`, ...then].join('; ');
}
