import type { Tier } from '../decision/tier.ts';
import type { SustainabilityKind } from '../merchant/sustainability.ts';
import type { Observation, PredictionPayload } from '../prediction/prediction.ts';

/** The kinds of events of /api/stream. */
export const eventTypes = ['narration', 'prediction', 'sustainability'] as const;
export type EventType = (typeof eventTypes)[number];

interface EventBase {
  type: EventType;
  /** The slot of the event, epoch milliseconds. */
  at: number;
  pocket_id: string;
}

export interface NarrationEvent extends EventBase {
  type: 'narration';
  /** Id of the package. */
  id: string;
  tier: Tier;
  body: string;
}

/** A forecast that was revealed and scored. */
export interface RevealEvent extends EventBase {
  type: 'prediction';
  /** Id of the prediction in the ledger. */
  id: string;
  generator: string;
  /** A state, or a probability or level. */
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

/** Newest first; events of one slot in the order of `eventTypes`, and within a type in the given order. */
export function newestFirst(events: readonly StreamEvent[], limit: number): StreamEvent[] {
  const rank = ({ type }: StreamEvent) => eventTypes.indexOf(type);
  return events.toSorted((a, b) => b.at - a.at || rank(a) - rank(b)).slice(0, limit);
}

/** The forecast state, or the forecast probability or level. */
export const expectedOf = (
  forecast: PredictionPayload['forecast'] | PredictionPayload['baseline'],
): string | number => ('expected_state' in forecast ? forecast.expected_state : forecast.expected);

/** The observed state, or the outcome of a probability or level. */
export const actualOf = (observation: Observation): string | number =>
  'primary_state' in observation ? observation.primary_state : observation.outcome;
