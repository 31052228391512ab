// The JSON Schemas of a city's files, for editors: `$schema` in a file names one of `cities/schema`.
import Type, { type TSchema } from 'typebox';
import type { AdapterTerms } from '../sources/core/adapter.ts';
import { allAdapters } from '../sources/live/all.ts';
import { feedSchema } from './feed-schema.ts';
import {
  citySchema,
  holidaySchema,
  intentSchema,
  livePocketSchema,
  outletSchema,
  outlineSchema,
  placesSchema,
} from './schema.ts';
import { closedObject, oneOf } from './schema-fields.ts';

const listFile = (name: string, entry: TSchema) =>
  closedObject({
    $schema: Type.Optional(Type.String({ description: 'text' })),
    [name]: Type.Array(entry, { description: 'a list' }),
  });

/**
 * The loader asks the adapter of a feed about its settings. An editor cannot: here the adapter that an entry names
 * decides what may stand under `settings` and, where the adapter knows its fields, under `fields`.
 */
const editedFeed: TSchema = {
  ...feedSchema,
  properties: {
    ...feedSchema.properties,
    adapter: oneOf(...allAdapters.map(({ name }) => name)),
  },
  allOf: allAdapters.map(({ name, settings, about: { fields } }: AdapterTerms) => ({
    if: { properties: { adapter: { const: name } }, required: ['adapter'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, not a promise
    then: { properties: { settings, ...(fields && { fields: knownFields(fields) }) } },
  })),
};

function knownFields(fields: Readonly<Record<string, string>>): object {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([field, description]) => [field, { description }]),
  );
  return { properties, additionalProperties: false };
}

const files: Record<string, { title: string; schema: TSchema }> = {
  city: { title: 'A city: its zone, currency, data and scales', schema: citySchema },
  // Which fields of a character a simulated city needs beyond these depends on city.json; the loader checks it.
  pockets: { title: 'The pockets of a city', schema: listFile('pockets', livePocketSchema) },
  outlets: { title: 'The outlets of a city', schema: listFile('outlets', outletSchema) },
  intents: { title: 'What people may look for', schema: listFile('intents', intentSchema) },
  holidays: { title: 'Public holidays', schema: listFile('holidays', holidaySchema) },
  sources: { title: 'The feeds of a city', schema: listFile('sources', editedFeed) },
  outline: { title: 'The land around the pockets, drawn on maps', schema: outlineSchema },
  places: { title: 'Stations, streets and landmarks that visitors name', schema: placesSchema },
};

/** The text of each schema file, by its name. */
export const schemaFiles = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, { title, schema }]) => [
      `${name}.schema.json`,
      `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }, null, 2)}\n`,
    ]),
  );
