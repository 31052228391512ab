// Which pockets to visit at a time, and when: read once for the list of windows, the first page, comparisons and plan_visit.
import type { Static } from 'typebox';
import { SUITS_IN_PART } from '../../domain/intent/intent-fit.ts';
import { iso } from '../../domain/time/slot.ts';
import { isWaking } from '../../domain/time/waking-hours.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { ExpectedCalm } from '../../domain/window/pocket-outlook.ts';
import { askedTime } from '../../domain/window/visit.ts';
import { currentConditions } from '../../store/observation/current-conditions.ts';
import { type OperationContext, Refused } from '../core/define.ts';
import { choosePockets, computeAlignments, intentNamed, type Present } from './choose-pockets.ts';
import { loadExpected } from './load-outlooks.ts';
import { likeliestFirst, loadRows, loadStandings, namedInOrder, type Standing } from './standings.ts';
import type { visitAnswer } from './visit-fields.ts';
import { composeVisitRow, loadListed } from './visit-rows.ts';

/** Pockets on one page of the list. */
export const PAGE_OF_POCKETS = 100;

export const visitOrders = ['calm', 'name', 'near'] as const;

export interface VisitQuestion {
  q: string;
  order: (typeof visitOrders)[number];
  near?: string;
  /** YYYY-MM-DD in the city's zone. */
  day?: string;
  hour?: number;
  intent?: string;
  pockets?: string[];
  offset: number;
  limit: number;
}

export type VisitData = Awaited<ReturnType<typeof loadVisit>>;

export async function loadVisit(
  asked: VisitQuestion,
  context: OperationContext,
  windows: 'around' | 'week' = 'around',
) {
  const { registry, now, lookup } = context;
  const intent = intentNamed(asked.intent, registry.intents);
  const { named, place } = choosePockets(asked, registry, lookup);
  const at = timeAskedFor(asked, context);
  // Pockets that are asked for by id are read alone: a page of one must not read a city of thousands.
  const network = await loadStandings(context, asked.pockets && named);
  const isRanked = !named && asked.order === 'calm';
  const ids = named ?? (isRanked ? network.pockets.map(({ id }) => id) : namedInOrder(network.pockets));
  const expected = at === null ? new Map<string, ExpectedCalm>() : await loadExpected(context, at, ids);
  const alignments = intent
    ? computeAlignments(intent, await loadPresent(context, ids, network), context, at, expected)
    : new Map<string, number>();
  const suited = intent ? ids.filter((id) => (alignments.get(id) ?? 0) >= SUITS_IN_PART) : ids;
  const ordered = isRanked
    ? likeliestFirst(
        suited,
        network.standings,
        (id) => (at === null ? network.standings : expected).get(id)?.calm_probability,
      )
    : suited;
  const shown = ordered.slice(asked.offset, asked.offset + asked.limit);
  const [listedData, listed] = await Promise.all([
    loadListed(context, shown, at, windows),
    loadRows(context, shown),
  ]);
  return {
    ...{ network, at, listed, now, data: { ...listedData, at, place, alignments } },
    place,
    total: ordered.length,
    suggestions: named && !ids.length ? lookup.suggest(asked.q) : [],
  };
}
export const shapeVisit = (
  { network, at, now, place, total, listed, suggestions, data }: VisitData,
  offset: number,
  zone: Zone,
): Static<typeof visitAnswer> => ({
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
  pockets: listed.map((row) => composeVisitRow(row, data)),
  suggestions,
});

function timeAskedFor(
  { day, hour }: { day?: string; hour?: number },
  { now, zone }: Pick<OperationContext, 'now' | 'zone'>,
): number | null {
  const at = askedTime(now, { day, hour }, zone);
  if (typeof at === 'string') throw new Refused(at);
  return at;
}

/** Pockets with a moment, by how calm they are, and the reading behind it. */
async function loadPresent(
  { store, now }: OperationContext,
  ids: readonly string[],
  { standings }: { standings: ReadonlyMap<string, Standing> },
): Promise<Present[]> {
  // A statement names at most so many pockets; beyond that all are read.
  const conditions = await currentConditions(store, now, ids.length <= PAGE_OF_POCKETS ? ids : undefined);
  return ids.flatMap((id) => {
    const [reading, standing] = [conditions.get(id), standings.get(id)];
    return reading && standing ? [{ ...reading, calm_probability: standing.calm_probability }] : [];
  });
}
