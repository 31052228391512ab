import type { Tier } from '../decision/tier.ts';
import type { SustainabilityKind } from '../merchant/sustainability.ts';
import type { Observation, PredictionPayload } from '../prediction/prediction.ts';

/** What happened, as the feed tells it. */
export const eventTypes = ['narration', 'prediction', 'sustainability'] as const;
export type EventType = (typeof eventTypes)[number];

interface EventBase {
  type: EventType;
  /** Its slot. */
  at: number;
  pocket_id: string;
}

export interface NarrationEvent extends EventBase {
  type: 'narration';
  /** Of the package. */
  id: string;
  tier: Tier;
  body: string;
}

/** A forecast whose hour came, held against what was read. */
export interface RevealEvent extends EventBase {
  type: 'prediction';
  /** Of the forecast in the ledger. */
  id: string;
  generator: string;
  /** A state, or a chance or level. */
  expected: string | number;
  actual: string | number;
  accuracy: number;
}

export interface SavingEvent extends EventBase {
  type: 'sustainability';
  kind: SustainabilityKind;
  value: number;
  /** SGD. */
  dollar_value: number;
}

export type StreamEvent = NarrationEvent | RevealEvent | SavingEvent;

/** Newest first; what came at once in the order of `eventTypes`, and within one of them as it is given. */
export function newestFirst(events: readonly StreamEvent[], limit: number): StreamEvent[] {
  const rank = ({ type }: StreamEvent) => eventTypes.indexOf(type);
  return events.toSorted((a, b) => b.at - a.at || rank(a) - rank(b)).slice(0, limit);
}

/** The state that was forecast, or the chance or level. */
export const expectedOf = (
  forecast: PredictionPayload['forecast'] | PredictionPayload['baseline'],
): string | number => ('expected_state' in forecast ? forecast.expected_state : forecast.expected);

/** The state that was read, or what came of the chance or level. */
export const actualOf = (observation: Observation): string | number =>
  'primary_state' in observation ? observation.primary_state : observation.outcome;
