// What an entry of `sources.json` may contain. Its `settings` are checked by its adapter.
import Type, { type Static } from 'typebox';
import { expectedSignalKinds } from '../domain/signals/signal.ts';
import { type Feed, placeStates } from '../sources/core/feed.ts';
import { KEY_NAME, KEY_NAME_RULE } from '../sources/core/feed-keys.ts';
import { PLACE_ID, PLACE_ID_RULE } from '../sources/core/rows/place-id.ts';
import { closedObject, flag, integer, lat, lng, number, oneOf, slug, text } from './schema-fields.ts';

const anyNumber = number(-1e12, 1e12);
const limit = closedObject({ requests: integer(1, 1_000_000), seconds: integer(1, 31 * 86_400) });

/** An object whose keys the feed or its publisher chooses. */
const keyedObject = <S extends Type.TSchema>(keys: string, schema: S, description: string) =>
  Type.Record(Type.String({ pattern: keys }), schema, { additionalProperties: false, description });

const fieldName = '^[^\\p{C}\\p{Z}]{1,100}$';
const statusText = '^[^\\p{C}]{1,100}$';
const statusValues = Type.Array(
  Type.Union([Type.String({ pattern: statusText }), Type.Number(), Type.Boolean()]),
  { minItems: 1, maxItems: 50, description: 'a list of texts, numbers, true or false' },
);

const fieldSchema = closedObject({
  measures: oneOf(...expectedSignalKinds),
  what: text(80),
  points: Type.Optional(oneOf('up', 'down')),
  proxy: Type.Optional(flag),
  factor: Type.Optional(anyNumber),
  within_slot: Type.Optional(oneOf('newest', 'sum', 'mean')),
  stamp_minutes: Type.Optional(integer(0, 24 * 60)),
  fresh_minutes: integer(1, 7 * 24 * 60),
  zero: Type.Optional(oneOf('value', ...placeStates)),
  words: Type.Optional(
    keyedObject(statusText, oneOf(...placeStates), 'an object of words that stand in for a number'),
  ),
  status: Type.Optional(
    closedObject({
      field: Type.String({ pattern: fieldName, description: 'the name of a field of the feed' }),
      full: Type.Optional(statusValues),
      empty: Type.Optional(statusValues),
      closed: Type.Optional(statusValues),
      no_data: Type.Optional(statusValues),
    }),
  ),
  capacity: Type.Optional(
    Type.String({ pattern: fieldName, description: 'the name of a field of the feed' }),
  ),
  range: Type.Optional(closedObject({ low: Type.Optional(anyNumber), high: Type.Optional(anyNumber) })),
  least: Type.Optional(anyNumber),
  most: Type.Optional(anyNumber),
});

const placeSchema = closedObject({
  capacity: Type.Optional(number(1, 1e9)),
  lat: Type.Optional(lat),
  lng: Type.Optional(lng),
  pockets: Type.Optional(
    Type.Array(slug, { minItems: 1, maxItems: 1000, description: 'a list of pocket ids' }),
  ),
});

const keySchema = Type.Object(
  {
    env: Type.String({ pattern: KEY_NAME, description: KEY_NAME_RULE }),
    header: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'the name of an HTTP header' }),
    ),
    query: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_.-]{1,64}$',
        description: 'the name of a parameter in the query of the address',
      }),
    ),
  },
  // `env` is required: of the others there is exactly one.
  {
    additionalProperties: false,
    minProperties: 2,
    maxProperties: 2,
    description: 'an object with env and either header or query',
  },
);

export const feedSchema = closedObject({
  id: Type.String({
    pattern: '^[a-z0-9_-]+$',
    maxLength: 64,
    description: '1-64 of lowercase letters, digits, hyphens and underscores',
  }),
  title: text(80),
  adapter: slug,
  every_seconds: integer(10, 86_400),
  publisher: Type.Optional(text(80)),
  limit: Type.Optional(limit),
  licence: Type.Optional(text(120)),
  attribution: Type.Optional(text(300)),
  key: Type.Optional(keySchema),
  allow_private: Type.Optional(flag),
  reach_m: integer(1, 100_000),
  fields: keyedObject(fieldName, fieldSchema, 'an object of field names without spaces'),
  places: Type.Optional(keyedObject(PLACE_ID, placeSchema, `an object of place ids of ${PLACE_ID_RULE}`)),
  settings: Type.Record(Type.String(), Type.Unknown(), { description: 'an object' }),
});

/** Compiles only while every valid entry is a `Feed`. */
export const isFeed = (entry: Static<typeof feedSchema>): Feed => entry;
