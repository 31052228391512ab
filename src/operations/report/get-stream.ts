import Type from 'typebox';
import { sustainabilityKinds } from '../../domain/merchant/sustainability.ts';
import {
  eventTypes,
  type SavingEvent,
  type StreamEvent,
  shareNewest,
} from '../../domain/narration/stream.ts';
import { iso } from '../../domain/time/slot.ts';
import { windowOf } from '../../domain/time/window.ts';
import { narrationEvents, revealEvents, savingEvents } from '../../store/report/stream.ts';
import { amount, count, currency, nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { tier } from '../decision/decision-fields.ts';
import { generatorName } from '../prediction/prediction-fields.ts';

const MAX_EVENTS = 200;
const readers = {
  narration: narrationEvents,
  prediction: revealEvents,
  sustainability: savingEvents,
} as const;

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
    dollar_value: amount,
    currency,
  }),
]);

export const getStream = defineOperation({
  name: 'get_stream',
  title: 'What happened lately',
  description:
    'Lists what happened, newest first: what was said, which forecasts came due and how they did, and what was kept from being wasted. Use it to follow the service, of all pockets or of one, or of one type of event. Each type has an equal share of the limit, as far as it has events. Returns since, pocket_id, count and events: narration {timestamp, pocket_id, tier, body}, prediction {timestamp, pocket_id, generator, expected, actual, accuracy} at the hour it was for (a state, or a chance or level; both with the id they have elsewhere), sustainability {timestamp, pocket_id, kind, value, dollar_value, currency: that of dollar_value}. Forecasts on trial, and those that could not be scored, are left out. At most 200 events: a larger limit is served as 200. The same is served to feed readers as /stream.rss and /feed.json, and as it happens at /api/stream/live.',
  input: {
    limit: Type.Integer({
      minimum: 1,
      default: 50,
      description: 'events to list; above 200 it is served as 200',
    }),
    since: Type.Enum(since.enum, { default: '24h', description: 'how far back' }),
    pocket_id: Type.Optional(pocketId),
    type: Type.Optional(Type.Enum([...eventTypes], { description: 'events of this type alone' })),
  },
  output: Type.Object({
    since,
    pocket_id: nullable(Type.String({ description: 'null: all pockets' })),
    count,
    events: Type.Array(event),
  }),
  effect: 'read',
  tool: false,
  load: async ({ since, pocket_id: pocket, type, limit: asked }, { store, registry, now }) => {
    const limit = Math.min(asked, MAX_EVENTS);
    const filter = { ...windowOf(since, now), pocket, limit };
    const events: StreamEvent[] = [];
    for (const wanted of type === undefined ? eventTypes : [type])
      events.push(...(await readers[wanted](store, filter)));
    return { events: shareNewest(events, limit), currency: registry.city.currency };
  },
  shape: ({ events, currency }, { since, pocket_id }) => ({
    since,
    pocket_id: pocket_id ?? null,
    count: events.length,
    events: events.map((event) => publishedEvent(event, currency)),
  }),
  speak: ({ since, count, events }, _input, zone) => {
    const [newest] = events;
    const over = since === 'all' ? 'so far' : `over the last ${since}`;
    if (!newest) return `nothing happened ${over}.`;
    return `${count} events ${over}; the newest, a ${newest.type} of ${newest.pocket_id}, at ${zone.clockWithZone(Date.parse(newest.timestamp))}.`;
  },
  rest: { path: '/api/stream', names: { pocket_id: 'pocket' } },
});

type Published<Event> = Event extends StreamEvent
  ? Omit<Event, 'at'> & { timestamp: string } & (Event extends SavingEvent ? { currency: string } : unknown)
  : never;

/** The type is asserted: the compiler cannot follow that the other fields still belong to the same type of event. */
export const publishedEvent = (
  { type, at, ...rest }: StreamEvent,
  currency: string,
): Published<StreamEvent> =>
  ({
    ...{ type, timestamp: iso(at), ...rest },
    ...(type === 'sustainability' && { currency }),
  }) as Published<StreamEvent>;
