// Which pockets to visit at a time, and when: read once for the list of windows, the first page, comparisons and plan_visit.
import type { Static } from 'typebox';
import { SUITS_IN_PART } from '../../domain/intent/intent-fit.ts';
import { iso } from '../../domain/time/slot.ts';
import { isWaking } from '../../domain/time/waking-hours.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type ExpectedCalm, expectedAt } from '../../domain/window/pocket-outlook.ts';
import { askedTime } from '../../domain/window/visit.ts';
import { currentConditions } from '../../store/observation/current-conditions.ts';
import { type OperationContext, Refused } from '../core/define.ts';
import { loadNetwork, networkAnswer } from '../pocket/get-network-now.ts';
import { choosePockets, computeAlignments, intentNamed, likeliestFirst } from './choose-pockets.ts';
import { loadOutlooksAt, pocketOutlook } from './load-outlooks.ts';
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

export async function loadVisit(asked: VisitQuestion, context: OperationContext) {
  const { registry, now, zone, lookup, store } = context;
  const intent = intentNamed(asked.intent, registry.intents);
  const { named, place } = choosePockets(asked, registry, lookup);
  const at = timeAskedFor(asked, context);
  // Pockets that are asked for by id are read alone: a page of one must not read a city of thousands.
  const network = networkAnswer(await loadNetwork(context, asked.pockets && named), zone);
  const byId = new Map(network.pockets.map((row) => [row.pocket_id, row]));
  const rows = named ? named.flatMap((id) => byId.get(id) ?? []) : network.pockets;
  // A statement names at most so many pockets; beyond that all are read.
  const ids = rows.length <= PAGE_OF_POCKETS ? rows.map(({ pocket_id }) => pocket_id) : undefined;
  const expected = at === null ? new Map<string, ExpectedCalm>() : await expectedThen(context, at, rows, ids);
  const alignments = intent
    ? computeAlignments(intent, rows, await currentConditions(store, now, ids), context, at, expected)
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
      const expected = expectedAt(pocketOutlook(loaded, pocket_id), at);
      return expected ? [[pocket_id, expected] as const] : [];
    }),
  );
}
