import type { Tier } from '../decision/tier.ts';
import type { SavingBasis, SustainabilityKind } from '../merchant/sustainability.ts';
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
  /** Its place in the log. */
  leaf: number;
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
  /** In the city's currency. */
  dollar_value: number;
  basis: SavingBasis;
}

export type StreamEvent = NarrationEvent | RevealEvent | SavingEvent;

/**
 * The newest events of each type, newest first over all. Each type has an equal share of the limit, so that the many
 * forecasts do not crowd out what was said; a type with fewer events leaves the rest of its share to the others. Events
 * of one slot are in the order of `eventTypes`, and within a type in the given order.
 */
export function shareNewest(events: readonly StreamEvent[], limit: number): StreamEvent[] {
  const newest = events.toSorted((a, b) => b.at - a.at);
  const groups = eventTypes.map((type) => newest.filter((event) => event.type === type));
  const longest = Math.max(...groups.map(({ length }) => length));
  const chosen: StreamEvent[] = [];
  // One of each type in turn, as long as it has any.
  for (let nth = 0; nth < longest && chosen.length < limit; nth += 1)
    chosen.push(...groups.flatMap((group) => group.slice(nth, nth + 1)).slice(0, limit - chosen.length));
  const rank = ({ type }: StreamEvent) => eventTypes.indexOf(type);
  return chosen.toSorted((a, b) => b.at - a.at || rank(a) - rank(b));
}

/** The forecast state, or the forecast probability or level. */
export const forecastValue = (
  forecast: PredictionPayload['forecast'] | PredictionPayload['baseline'],
): string | number => ('expected_state' in forecast ? forecast.expected_state : forecast.expected);

/** The observed state, or the outcome of a probability or level. */
export const observedValue = (observation: Observation): string | number =>
  'primary_state' in observation ? observation.primary_state : observation.outcome;
