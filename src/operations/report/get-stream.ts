import Type from 'typebox';
import { sustainabilityKinds } from '../../domain/merchant/sustainability.ts';
import {
  eventTypes,
  type SavingEvent,
  type StreamEvent,
  shareNewest,
} from '../../domain/narration/stream.ts';
import { countText } from '../../domain/text/count-text.ts';
import { iso } from '../../domain/time/slot.ts';
import { namedWindow } from '../../domain/time/window.ts';
import { keptWindow } from '../../store/ledger/archived.ts';
import {
  narrationEvents,
  revealEvents,
  type StreamPosition,
  savingEvents,
} from '../../store/report/stream.ts';
import { count, currency, netAmount, nullable, olderRows, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { leafPosition, slotPosition, textPosition } from '../core/list-options.ts';
import { tier } from '../decision/decision-fields.ts';
import { savingBasis } from '../merchant/merchant-fields.ts';
import { generatorName } from '../prediction/prediction-fields.ts';

const MAX_EVENTS = 200;
/** More than the events of any one slot. */
const MAX_SKIP = 100_000;
const closed = { additionalProperties: false };
/** Each type is paged on its own; one without events yet has no position. */
const position = {
  narration: Type.Optional(Type.Object({ slot: slotPosition, pocket: textPosition }, closed)),
  prediction: Type.Optional(Type.Object({ at: slotPosition, leaf: leafPosition }, closed)),
  sustainability: Type.Optional(
    Type.Object({ slot: slotPosition, skip: Type.Integer({ minimum: 0, maximum: MAX_SKIP }) }, closed),
  ),
};

const since = Type.Enum(['1h', '6h', '24h', '7d', 'all']);
/** A state, or a chance or level from 0 to 1. */
const outcome = Type.Union([Type.String(), Type.Number()]);
const event = Type.Union([
  Type.Object({
    type: Type.Literal('narration'),
    timestamp,
    id: Type.String(),
    pocket_id: Type.String(),
    tier,
    body: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('prediction'),
    timestamp,
    id: Type.String({ description: 'of the forecast in the ledger' }),
    pocket_id: Type.String(),
    generator: generatorName,
    expected: outcome,
    actual: outcome,
    accuracy: unit,
  }),
  Type.Object({
    type: Type.Literal('sustainability'),
    timestamp,
    pocket_id: Type.String(),
    kind: Type.Enum([...sustainabilityKinds]),
    value: Type.Number({ description: 'portions, hours of a place, trips or silences, as the kind says' }),
    dollar_value: netAmount,
    currency,
    basis: savingBasis,
  }),
]);

export const getStream = defineOperation({
  name: 'get_stream',
  title: 'What happened lately',
  description:
    'Lists what happened, newest first: what was said, which forecasts came due and how they did, and what was kept from being wasted. Use it to follow the service, of all pockets or of one, or of one type of event. Each type has an equal share of the limit, as far as it has events. Returns since, pocket_id, count and events: narration {timestamp, pocket_id, tier, body}, prediction {timestamp, pocket_id, generator, expected, actual, accuracy} at the hour it was for (a state, or a chance or level; both with the id they have elsewhere), sustainability {timestamp, pocket_id, kind, value, dollar_value, currency: that of dollar_value}. Forecasts on trial, and those that could not be scored, are left out. At most 200 events: a larger limit is served as 200. Feed readers get what was said at /stream.rss and /feed.json and how forecasts did at /forecasts.rss; all of it is sent as it happens at /api/stream/live.',
  input: {
    limit: Type.Integer({
      minimum: 1,
      default: 50,
      description: 'events to list; above 200 it is served as 200',
    }),
    since: Type.Enum(since.enum, { default: '24h', description: 'how far back' }),
    pocket_id: Type.Optional(pocketId),
    type: Type.Optional(Type.Enum([...eventTypes], { description: 'only events of this type' })),
  },
  output: Type.Object({
    since,
    pocket_id: nullable(Type.String({ description: 'null: all pockets' })),
    count,
    events: Type.Array(event),
    ...olderRows,
  }),
  list: 'events',
  position,
  load: async ({ since, pocket_id: pocket, type, limit: asked }, { store, registry, now }, from = {}) => {
    const limit = Math.min(asked, MAX_EVENTS);
    const filter = { ...namedWindow(since, now), pocket, limit: limit + 1 };
    const { window: kept, archived } = await keptWindow(store, filter);
    const readers = {
      narration: () => narrationEvents(store, kept, from.narration),
      prediction: () => revealEvents(store, kept, from.prediction),
      sustainability: () => savingEvents(store, filter, from.sustainability),
    };
    const found: StreamEvent[] = [];
    for (const wanted of type === undefined ? eventTypes : [type]) found.push(...(await readers[wanted]()));
    const events = shareNewest(found, limit);
    return { events, more: found.length > events.length, currency: registry.city.currency, archived };
  },
  next: ({ events, more }, from = {}) => (more ? { ...from, ...positionAfter(events, from) } : null),
  shape: ({ events, currency, archived }, { since, pocket_id }) => ({
    since,
    pocket_id: pocket_id ?? null,
    count: events.length,
    events: events.map((event) => publishedEvent(event, currency)),
    ...(archived && { archived }),
  }),
  speak: ({ since, count, events }, _input, zone) => {
    const [newest] = events;
    const over = since === 'all' ? 'so far' : `over the last ${since}`;
    if (!newest) return `nothing happened ${over}.`;
    return `${countText(count, 'event')} ${over}; the newest, a ${newest.type} of ${newest.pocket_id}, at ${zone.clockWithZone(Date.parse(newest.timestamp))}.`;
  },
  rest: { path: '/api/stream', names: { pocket_id: 'pocket' } },
});

type Published<Event> = Event extends StreamEvent
  ? Omit<Event, 'at' | 'leaf'> & { timestamp: string } & (Event extends SavingEvent
        ? { currency: string }
        : unknown)
  : never;

/** The type is asserted: the compiler cannot follow that the other fields still belong to the same type of event. */
export function publishedEvent({ type, at, ...rest }: StreamEvent, currency: string): Published<StreamEvent> {
  const { leaf: _position, ...own } = { leaf: 0, ...rest };
  return {
    ...{ type, timestamp: iso(at), ...own },
    ...(type === 'sustainability' && { currency }),
  } as Published<StreamEvent>;
}

/** The position of the last listed event of each type that has one. */
function positionAfter(events: readonly StreamEvent[], { sustainability: before }: StreamPosition) {
  const position: StreamPosition = {};
  // Events are listed newest first, so a later one of the same type replaces the position.
  for (const event of events) {
    const { at, pocket_id: pocket } = event;
    if (event.type === 'narration') position.narration = { slot: at, pocket };
    else if (event.type === 'prediction') position.prediction = { at, leaf: event.leaf };
    else {
      const { slot, skip } = position.sustainability ?? before ?? { slot: at, skip: 0 };
      position.sustainability = { slot: at, skip: slot === at ? skip + 1 : 1 };
    }
  }
  return position;
}
