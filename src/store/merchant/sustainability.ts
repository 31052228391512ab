// Sustainability events and the outcomes of commitments, and what both are computed from.

import {
  type Outcome,
  type SustainabilityEvent,
  USUAL_WEEKS,
  type VindicatedDay,
} from '../../domain/merchant/sustainability.ts';
import type { KindSum } from '../../domain/merchant/sustainability-totals.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Reader, Transaction, Value } from '../engine/store.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';
import { ofOutlets, outletsTwice } from '../rows/outlet-groups.ts';
import type { EndedCommitment } from './commitments.ts';

export const writeSustainabilityEvents = (
  tx: Transaction,
  events: readonly SustainabilityEvent[],
): Promise<void> =>
  tx.insert(
    'sustainability_events',
    events.map((event) => ({ ...event, evidence: JSON.stringify(event.evidence) })),
  );

export const writeCommitmentOutcomes = (
  tx: Transaction,
  slot: number,
  outcomes: readonly { commitment: EndedCommitment; outcome: Outcome }[],
): Promise<void> =>
  tx.insert(
    'commitment_outcomes',
    outcomes.map(({ commitment: { brief_id, pocket_id, outlet_id }, outcome }) => {
      const { activity, usual, idle_hours, reclaimed_hours } = outcome;
      return { brief_id, slot, pocket_id, outlet_id, activity, usual, idle_hours, reclaimed_hours };
    }),
  );

/**
 * The activity of an outlet in a window and at the same time of the weeks before, newest week first. Each map is keyed
 * by the slot of the newest week, so that the weeks can be compared slot by slot.
 */
export async function weeklyActivity(
  store: Reader,
  outlet: string,
  { window_start, window_end }: { window_start: number; window_end: number },
  zone: Zone,
): Promise<Map<number, number>[]> {
  const weeks: Map<number, number>[] = [];
  for (let week = 0; week <= USUAL_WEEKS; week++) {
    // The same time on the clock: more or less than whole days ago when clocks changed since.
    const earlier = window_start - zone.atHour(window_start, zone.hourOfDay(window_start), -7 * week);
    const rows = await store.all<{ slot: number; activity: number }>(
      `select a.slot, a.activity from counted_outlets a where ${ofOutlets('a', 1)} and ${withinDays('a.slot')}`,
      ...outletsTwice([outlet]),
      ...windowAndDays({ after: window_start - earlier, until: window_end - earlier }),
    );
    weeks.push(new Map(rows.map(({ slot, activity }) => [slot + earlier, activity])));
  }
  return weeks;
}

/**
 * How many silences of each pocket in a window were judged and vindicated, and the attention minutes preserved: a sum of
 * whole numbers, so that it is the same in any order.
 */
export const vindicationSumsByPocket = (
  store: Reader,
  { after, until }: Window,
): Promise<Omit<VindicatedDay, 'date'>[]> =>
  store.all<Omit<VindicatedDay, 'date'>>(
    `select pocket_id, count(served) as judged, coalesce(sum(1 - served), 0) as vindicated,
       sum(attention_hundredths) / cast(100 as double precision) as minutes
     from verdict_figures where spoke = 0 and slot > ? and slot <= ? group by pocket_id order by pocket_id`,
    after,
    until,
  );

export interface SustainabilityFilter extends Window {
  pocket?: string | undefined;
  outlet?: string | undefined;
}

function selection({ after, until, pocket, outlet }: SustainabilityFilter): [where: string, ...Value[]] {
  const where = [
    'slot > ? and slot <= ?',
    ...(pocket === undefined ? [] : ['pocket_id = ?']),
    ...(outlet === undefined ? [] : ['outlet_id = ?']),
  ];
  return [where.join(' and '), after, until, ...[pocket, outlet].filter((only) => only !== undefined)];
}

/** An event as it may be published: without its outlet and the evidence, which could identify it. */
export type PublicEvent = Pick<
  SustainabilityEvent,
  'slot' | 'pocket_id' | 'kind' | 'magnitude' | 'value_cents'
>;

/** Events, newest first, without the first `skip`. */
export function recentSustainabilityEvents(
  store: Reader,
  { limit, skip = 0, ...filter }: SustainabilityFilter & { limit: number; skip?: number },
): Promise<PublicEvent[]> {
  const [where, ...params] = selection(filter);
  return store.all<PublicEvent>(
    `select slot, pocket_id, kind, magnitude, value_cents from sustainability_events
     where ${where} order by slot desc, id limit ? offset ?`,
    ...params,
    limit,
    skip,
  );
}

/** The sums of each kind of event in each pocket. */
export function sustainabilitySums(store: Reader, filter: SustainabilityFilter): Promise<KindSum[]> {
  const [where, ...params] = selection(filter);
  return store.all<KindSum>(
    `select pocket_id, kind, count(*) as events, sum(magnitude) as magnitude, sum(value_cents) as value_cents
     from sustainability_events where ${where} group by pocket_id, kind order by pocket_id, kind`,
    ...params,
  );
}

export interface SustainabilityDay {
  /** Days since the epoch, in UTC. */
  day: number;
  events: number;
  value_cents: number;
}

/** The sums of all events of each UTC day, oldest first; a day without events is left out. */
export function sustainabilityByDay(
  store: Reader,
  filter: SustainabilityFilter,
): Promise<SustainabilityDay[]> {
  const [where, ...params] = selection(filter);
  return store.all<SustainabilityDay>(
    `select slot / 86400000 as day, count(*) as events, sum(value_cents) as value_cents
     from sustainability_events where ${where} group by day order by day`,
    ...params,
  );
}
