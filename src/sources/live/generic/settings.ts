// What `sources.json` says about a table of values: where place, position, time and fields are. The same for JSON
// (references are pointers) and CSV (references are column names). docs/sources.md explains each with examples.

import Type, { type Static } from 'typebox';
import type { AdapterDescription } from '../../core/adapter.ts';
import { closedObject, withDescription } from '../parse/settings.ts';

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });

const FORM = 'a JSON pointer or a column name, or a name in braces such as {id}';
export const reference = text(200, FORM);
const referenceTo = (what: string) => text(200, `${what}: ${FORM}`);

const scalar = Type.Union([Type.String({ maxLength: 100 }), Type.Number(), Type.Boolean()]);

export const condition = closedObject({
  at: reference,
  is: Type.Optional(Type.Array(scalar, { minItems: 1, maxItems: 50, description: 'holds for one of these' })),
  not: Type.Optional(Type.Array(scalar, { minItems: 1, maxItems: 50, description: 'holds for all others' })),
});
export type Condition = Static<typeof condition>;

export const fieldRead = closedObject({
  at: Type.Optional(referenceTo('the value')),
  constant: Type.Optional(Type.Number({ description: 'the same value for each row, e.g. 1 to count rows' })),
  name: Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 100 }), Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 })],
      {
        description:
          "the feed's own names of the field, where `field_name` is set; default: the field's name here",
      },
    ),
  ),
  unit: Type.Optional(text(20, 'the unit of the feed, converted into the unit `to`')),
  unit_at: Type.Optional(referenceTo('the unit that the row itself names')),
  to: Type.Optional(text(20, 'the unit that is stored')),
  factor: Type.Optional(Type.Number({ description: 'the value is multiplied by this' })),
  offset: Type.Optional(Type.Number({ description: 'added after multiplying by the factor' })),
  no_data: Type.Optional(
    Type.Array(Type.Union([Type.String({ maxLength: 100 }), Type.Number()]), {
      maxItems: 100,
      description: 'values that mean: not measured',
    }),
  ),
  texts: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Number(), { description: 'words and their numbers' }),
  ),
});
export type FieldRead = Static<typeof fieldRead>;

export const timeRead = closedObject({
  at: Type.Union([reference, Type.Array(reference, { minItems: 1, maxItems: 4 })], {
    description: 'several references are joined by a space, e.g. a date and an hour',
  }),
  format: Type.Optional(text(60, 'iso (default), epoch_s, epoch_ms or a pattern such as DD.MM.YYYY HH:mm')),
  zone: Type.Optional(text(60, 'IANA zone of times without offset; default: the zone of the city')),
  stamp: Type.Optional(
    Type.Enum(['start', 'end'], { description: 'which end of its interval the feed writes; default: end' }),
  ),
  minutes: Type.Optional(Type.Number({ minimum: 0, maximum: 1440, description: 'length of the interval' })),
  repeated_hour: Type.Optional(
    Type.Enum(['in_order', 'latest', 'none'], {
      description: 'how a time that occurs twice at the end of daylight saving is read; default: in_order',
    }),
  ),
});
export type TimeRead = Static<typeof timeRead>;

/** How numbers are written; JSON numbers need none of this. */
const numberFormat = closedObject({
  decimal: Type.Optional(Type.Enum(['.', ','], { description: 'before the fraction; default: a point' })),
  thousands: Type.Optional(
    Type.Enum([',', '.', ' ', "'"], { description: 'between groups of three digits; default: nothing' }),
  ),
});

const whenever = (description: string) => Type.Optional(Type.Array(condition, { maxItems: 20, description }));

export const readProperties = {
  place: Type.Union([reference, closedObject({ constant: text(128, 'the place of all rows') })], {
    description: 'where the id of the place is, or the one place of all rows',
  }),
  lat: Type.Optional(referenceTo('the latitude')),
  lng: Type.Optional(referenceTo('the longitude')),
  coordinates: Type.Optional(
    referenceTo('both, as a list, a text with two numbers, a GeoJSON point or a feature of one'),
  ),
  order: Type.Optional(
    Type.Enum(['lng,lat', 'lat,lng'], { description: 'of `coordinates`; default: lng,lat' }),
  ),
  within_km: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description: 'rows farther from every pocket are passed over',
    }),
  ),
  time: Type.Optional(
    withDescription(timeRead, 'when a value was observed; default: it counts from its receipt'),
  ),
  since_hours: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 10_000,
      description: 'older rows are passed over: for tables that hold a history',
    }),
  ),
  field_name: Type.Optional(referenceTo('the name of the field, where each row holds one field')),
  value: Type.Optional(referenceTo('the value, where each row holds one field')),
  fields: Type.Record(
    Type.String({ pattern: '^[a-z][a-z0-9_:.-]{0,63}$' }),
    Type.Union([reference, fieldRead]),
    { minProperties: 1, maxProperties: 100, description: 'each field, and where its value is' },
  ),
  filter: Type.Optional(
    Type.Array(condition, { maxItems: 20, description: 'rows are used where all of these hold' }),
  ),
  no_data_when: whenever('a row has no data where one of these holds'),
  closed_when: whenever('the place of a row is closed where one of these holds'),
  full_when: whenever('the place of a row is full where one of these holds'),
  empty_when: whenever('the place of a row is empty where one of these holds'),
  combine: Type.Optional(
    Type.Enum(['sum', 'mean', 'most', 'least'], {
      description:
        'how rows of one place, field and time become one; default: the first, the others are duplicates',
    }),
  ),
  numbers: Type.Optional(withDescription(numberFormat, 'how numbers are written as text')),
};

export const readSettings = closedObject(readProperties);
export type ReadSettings = Static<typeof readSettings>;

export const requestProperties = {
  url: Type.String({ pattern: '^https?://', maxLength: 1000, description: 'with placeholders in braces' }),
  ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      minItems: 1,
      maxItems: 200,
      description: 'one request for each, in place of {id}',
    }),
  ),
  body: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'sent as it is, as JSON with POST, for interfaces that are asked that way',
    }),
  ),
};
/** Of a query that is sent as JSON, written out. */
export const MOST_BODY = 8000;
export const requestSettings = closedObject(requestProperties);
export type RequestSettings = Static<typeof requestSettings>;

/** What holds of a feed that `sources.json` alone describes. */
export const genericTerms: AdapterDescription = {
  publisher: 'named in sources.json',
  limit: null,
  changes_every_seconds: 60,
  licence: 'named in sources.json',
  attribution: '',
  key: null,
};
