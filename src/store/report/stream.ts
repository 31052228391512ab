// The events of /api/stream: packages, scored forecasts, sustainability events.
import {
  actualOf,
  expectedOf,
  type NarrationEvent,
  type RevealEvent,
  type SavingEvent,
} from '../../domain/narration/stream.ts';
import { HORIZONS, type Observation, type PredictionPayload } from '../../domain/prediction/prediction.ts';
import { HOUR, MINUTE } from '../../domain/time/slot.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader, Value } from '../engine/store.ts';
import { type PublicEvent, recentSustainabilityEvents } from '../merchant/sustainability.ts';

export interface StreamFilter extends Window {
  pocket: string | undefined;
  limit: number;
}

const inPocket = (pocket: string | undefined): [clause: string, params: Value[]] =>
  pocket === undefined ? ['', []] : ['and pocket_id = ?', [pocket]];

/** What was said, newest first. */
export async function narrationEvents(
  store: Reader,
  { after, until, pocket, limit }: StreamFilter,
): Promise<NarrationEvent[]> {
  const [only, params] = inPocket(pocket);
  const rows = await store.all<Omit<NarrationEvent, 'type'>>(
    `select slot as at, id, pocket_id, tier, composed_text as body from packages
     where slot > ? and slot <= ? ${only} order by slot desc, pocket_id limit ?`,
    after,
    until,
    ...params,
    limit,
  );
  return rows.map((row) => ({ type: 'narration', ...row }));
}

/** The longest horizon: what is revealed in a window was sealed no earlier than this before it. */
const FARTHEST = Math.max(...HORIZONS) * MINUTE;
const FIRST_WINDOW = 6 * HOUR;

/**
 * Forecasts that were scored, by the slot they were for, newest first; shadow ones are left out. There are thousands a
 * day, so the last hours are read first, and older ones only when those are too few.
 */
export async function revealEvents(
  store: Reader,
  { after, until, pocket, limit }: StreamFilter,
): Promise<RevealEvent[]> {
  for (let length = FIRST_WINDOW; ; length *= 4) {
    const from = Math.max(after, until - length);
    const found = await revealedWithin(store, { after: from, until, pocket, limit });
    if (found.length >= limit || from <= after) return found;
  }
}

async function revealedWithin(
  store: Reader,
  { after, until, pocket, limit }: StreamFilter,
): Promise<RevealEvent[]> {
  const [only, params] = inPocket(pocket);
  const rows = await store.all<RevealRow>(
    `select n.reveal_at as at, n.accuracy_score as accuracy, e.payload as sealed, v.payload as revealed
     from (
       select reveal_at, accuracy_score, prediction_leaf, leaf from reveals
       where slot > ? and slot <= ? and reveal_at > ? and reveal_at <= ? ${only}
         and shadow = 0 and accuracy_score is not null
       order by reveal_at desc, prediction_leaf desc limit ?
     ) as n
     join ledger_entries e on e.leaf = n.prediction_leaf
     join ledger_entries v on v.leaf = n.leaf
     order by n.reveal_at desc, n.prediction_leaf desc`,
    after - FARTHEST,
    until,
    after,
    until,
    ...params,
    limit,
  );
  return rows.map(revealEventOf);
}

/** A scored forecast, with its two payloads in the ledger. */
export interface RevealRow {
  at: number;
  accuracy: number;
  sealed: string;
  revealed: string;
}

export function revealEventOf({ at, accuracy, sealed, revealed }: RevealRow): RevealEvent {
  const { id, pocket_id, generator, forecast } = JSON.parse(sealed) as PredictionPayload;
  const { actual_observation } = JSON.parse(revealed) as { actual_observation: Observation };
  return {
    type: 'prediction',
    at,
    id,
    pocket_id,
    generator,
    expected: expectedOf(forecast),
    actual: actualOf(actual_observation),
    accuracy,
  };
}

/** Sustainability events, newest first. */
export async function savingEvents(store: Reader, filter: StreamFilter): Promise<SavingEvent[]> {
  const events = await recentSustainabilityEvents(store, filter);
  return events.map(savingEventOf);
}

export const savingEventOf = ({
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
});
