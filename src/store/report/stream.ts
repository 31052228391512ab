// The events of /api/stream: packages, scored forecasts, sustainability events.

import { basisOf } from '../../domain/merchant/sustainability.ts';
import {
  forecastValue,
  type NarrationEvent,
  observedValue,
  type RevealEvent,
  type SavingEvent,
} from '../../domain/narration/stream.ts';
import { horizons, LONGEST_HORIZON } from '../../domain/prediction/generators/all.ts';
import type { Observation, PredictionPayload } from '../../domain/prediction/prediction.ts';
import { HOUR, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Window } from '../../domain/time/window.ts';
import { afterPosition, type PocketPosition } from '../engine/pocket-position.ts';
import type { Reader, Value } from '../engine/store.ts';
import { type EntryAt, readEntries } from '../ledger/entries.ts';
import { type PublicEvent, recentSustainabilityEvents } from '../merchant/sustainability.ts';
import { inPocket } from '../prediction/forecast-numbers.ts';
import { hours, windowAndDays, withinDays } from '../rows/day-index.ts';
import { byForecastLeaf } from '../rows/forecast-leaves.ts';

export interface StreamFilter extends Window {
  pocket: string | undefined;
  limit: number;
}

/**
 * Where a reader of the stream stands in each type of event. Within a slot, sustainability events are counted: their
 * ids are not public.
 */
export interface StreamPosition {
  narration?: PocketPosition;
  prediction?: { at: number; leaf: number };
  sustainability?: { slot: number; skip: number };
}

const onlyIn = (pocket: string | undefined, isPocket = 'pocket_id = ?'): [clause: string, params: Value[]] =>
  pocket === undefined ? ['', []] : [`and ${isPocket}`, [pocket]];

/** What was said, newest first. As with the other types: only what follows `from`, if it is given. */
export async function narrationEvents(
  store: Reader,
  { after, until, pocket, limit }: StreamFilter,
  from?: StreamPosition['narration'],
): Promise<NarrationEvent[]> {
  const [only, params] = onlyIn(pocket);
  const [rest, ...position] = afterPosition(from);
  const rows = await store.all<Omit<NarrationEvent, 'type'>>(
    `select slot as at, id, pocket_id, tier, composed_text as body from packages
     where slot > ? and slot <= ? ${only} and ${rest} order by slot desc, pocket_id limit ?`,
    after,
    until,
    ...params,
    ...position,
    limit,
  );
  return rows.map((row) => ({ type: 'narration', ...row }));
}

const FIRST_WINDOW = 6 * HOUR;

/**
 * Forecasts that were scored, by the slot they were for, newest first; shadow ones are left out. There are thousands a
 * day, so the last hours are read first, and older ones only when those are too few.
 */
export async function revealEvents(
  store: Reader,
  { after, until: end, pocket, limit }: StreamFilter,
  from?: StreamPosition['prediction'],
): Promise<RevealEvent[]> {
  const until = from ? Math.min(end, from.at) : end;
  const newest = pocket === undefined ? await newestReveals(store, { after, until, limit }, from) : [];
  if (newest.length === limit) return toRevealEvents(store, newest);
  for (let length = FIRST_WINDOW; ; length *= 4) {
    const begin = Math.max(after, until - length);
    const found = await revealedWithin(store, { after: begin, until, pocket, limit }, from);
    if (found.length >= limit || begin <= after) return found;
  }
}

/** Slots that are looked at one by one. */
const FEW_SLOTS = 4;

/** Those of the newest slots, as far as they are enough: an index finds what was sealed a horizon before a slot. */
async function newestReveals(
  store: Reader,
  { after, until, limit }: Pick<StreamFilter, 'after' | 'until' | 'limit'>,
  from: StreamPosition['prediction'],
): Promise<RevealRow[]> {
  const found: RevealRow[] = [];
  const [rest, position]: [string, Value[]] = from ? ['and prediction_leaf < ?', [from.leaf]] : ['', []];
  for (
    let n = 0, at = slotStart(until);
    n < FEW_SLOTS && at > after && found.length < limit;
    n++, at -= SLOT
  ) {
    const isFirst = from?.at === at;
    const ofHorizons = horizons.map(
      (_, h) => `select * from (select ${revealColumns} from revealed_forecasts
        where slot = ? and reveal_at = ? ${isFirst ? rest : ''} and shadow = 0 and accuracy_score is not null
        order by ${byForecastLeaf('revealed_forecasts', 'desc')} limit ?) as horizon_${h}`,
    );
    const params = horizons.flatMap((horizon) => [at - horizon, at, ...(isFirst ? position : []), limit]);
    const rows = await store.all<RevealRow>(
      `${ofHorizons.join(' union all ')} order by leaf desc limit ?`,
      ...params,
      limit - found.length,
    );
    found.push(...rows);
  }
  return found;
}

async function revealedWithin(
  store: Reader,
  { after, until, pocket, limit }: StreamFilter,
  from: StreamPosition['prediction'],
): Promise<RevealEvent[]> {
  const [only, params] = onlyIn(pocket, inPocket('revealed_forecasts'));
  const [rest, position]: [string, Value[]] = from
    ? ['and (reveal_at < ? or prediction_leaf < ?)', [from.at, from.leaf]]
    : ['', []];
  const rows = await store.all<RevealRow>(
    `select ${revealColumns} from revealed_forecasts
     where ${withinDays('slot', hours)} and reveal_at > ? and reveal_at <= ? ${only} ${rest}
       and shadow = 0 and accuracy_score is not null
     order by reveal_at desc, prediction_leaf desc limit ?`,
    ...windowAndDays({ after: after - LONGEST_HORIZON, until }, hours),
    after,
    until,
    ...params,
    ...position,
    limit,
  );
  return toRevealEvents(store, rows);
}

/** A scored forecast, and the leaf of its reveal. */
export interface RevealRow extends Pick<RevealEvent, 'at' | 'leaf' | 'accuracy'> {
  reveal_leaf: number;
}
export const revealColumns =
  'reveal_at as at, prediction_leaf as leaf, accuracy_score as accuracy, leaf as reveal_leaf';

/** With what the ledger has of both. */
export async function toRevealEvents(store: Reader, rows: readonly RevealRow[]): Promise<RevealEvent[]> {
  const entryAt = await readEntries(
    store,
    rows.flatMap(({ leaf, reveal_leaf }) => [leaf, reveal_leaf]),
  );
  return rows.map((row) => toRevealEvent(row, entryAt));
}

function toRevealEvent({ at, leaf, accuracy, reveal_leaf }: RevealRow, entryAt: EntryAt): RevealEvent {
  const { id, pocket_id, generator, forecast } = JSON.parse(entryAt(leaf).payload) as PredictionPayload;
  const { actual_observation } = JSON.parse(entryAt(reveal_leaf).payload) as {
    actual_observation: Observation;
  };
  return {
    type: 'prediction',
    at,
    leaf,
    id,
    pocket_id,
    generator,
    expected: forecastValue(forecast),
    actual: observedValue(actual_observation),
    accuracy,
  };
}

/** Sustainability events, newest first. */
export async function savingEvents(
  store: Reader,
  { until, ...filter }: StreamFilter,
  from?: StreamPosition['sustainability'],
): Promise<SavingEvent[]> {
  const window = from ? { until: Math.min(until, from.slot), skip: from.skip } : { until };
  const events = await recentSustainabilityEvents(store, { ...filter, ...window });
  return events.map(toSavingEvent);
}

export const toSavingEvent = ({
  slot,
  pocket_id,
  kind,
  magnitude,
  value_cents,
}: PublicEvent): SavingEvent => ({
  type: 'sustainability',
  at: slot,
  pocket_id,
  kind,
  value: magnitude,
  dollar_value: value_cents / 100,
  basis: basisOf[kind],
});
