// The JSON Schemas of a city's files, for editors: `$schema` in a file names one of `cities/schema`.
import Type, { type TSchema } from 'typebox';
import { feedSchema } from './feed-schema.ts';
import {
  citySchema,
  holidaySchema,
  intentSchema,
  livePocketSchema,
  outletSchema,
  outlineSchema,
} from './schema.ts';
import { closed } from './schema-fields.ts';

const listFile = (name: string, entry: TSchema) =>
  closed({
    $schema: Type.Optional(Type.String({ description: 'text' })),
    [name]: Type.Array(entry, { description: 'a list' }),
  });

const files: Record<string, { title: string; schema: TSchema }> = {
  city: { title: 'A city: its zone, currency, data and scales', schema: citySchema },
  // Which fields of a character a simulated city needs beyond these depends on city.json; the loader checks it.
  pockets: { title: 'The pockets of a city', schema: listFile('pockets', livePocketSchema) },
  outlets: { title: 'The outlets of a city', schema: listFile('outlets', outletSchema) },
  intents: { title: 'What people may look for', schema: listFile('intents', intentSchema) },
  holidays: { title: 'Public holidays', schema: listFile('holidays', holidaySchema) },
  sources: { title: 'The feeds of a city', schema: listFile('sources', feedSchema) },
  outline: { title: 'The land around the pockets, drawn on maps', schema: outlineSchema },
};

/** The text of each schema file, by its name. */
export const schemaFiles = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, { title, schema }]) => [
      `${name}.schema.json`,
      `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }, null, 2)}\n`,
    ]),
  );
