// What the files of a city may contain, an entry each. The feeds of `sources.json` are in feed-schema.ts.
import Type, { type Static, type TSchema } from 'typebox';
import {
  type City,
  categories,
  dayParts,
  type Intent,
  needs,
  type Outlet,
  type Pocket,
} from '../domain/city/city.ts';
import { MAX_OUTLINE_POINTS, type Outline } from '../domain/city/outline.ts';
import { MAX_PLACES, type Place, type PlacesCredit, placeKinds } from '../domain/city/place.ts';
import { expectedSignalKinds, pocketSignalKinds } from '../domain/signals/signal.ts';
import {
  clock,
  closedObject,
  each,
  flag,
  integer,
  lat,
  leaning,
  lng,
  number,
  oneOf,
  share,
  slug,
  text,
  url,
  uuid,
  voicedText,
} from './schema-fields.ts';

const anyNumber = number(-1_000_000, 1_000_000);
const CLEAN_PATH = '^[^\\p{C}\\p{Zl}\\p{Zp}]+$';

export const citySchema = closedObject({
  $schema: Type.Optional(Type.String({ description: 'text' })),
  name: text(60),
  time_zone: Type.String({
    pattern: '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$',
    maxLength: 60,
    description: 'a time zone of the IANA database, such as Europe/Berlin',
  }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'a currency of ISO 4217, such as EUR' }),
  locale: Type.String({
    pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    maxLength: 35,
    description: 'a language tag of BCP 47, such as en-GB',
  }),
  weekend: Type.Array(integer(0, 6), { maxItems: 6, description: 'a list of days, 0 being Monday' }),
  licence: Type.Optional(closedObject({ name: text(80), url })),
  contact: Type.Optional(text(200)),
  substrate: oneOf('simulated', 'live'),
  scales: oneOf('fixed', 'learned'),
  priors: Type.Optional(
    Type.Partial(closedObject(each(pocketSignalKinds, closedObject({ low: anyNumber, high: anyNumber }))), {
      additionalProperties: false,
      description: 'an object of signals',
    }),
  ),
  seed: Type.Optional(text(60)),
  extends: Type.Optional(
    Type.String({
      pattern: CLEAN_PATH,
      maxLength: 300,
      description: 'the folder of another city, whose lists stand in for those that are missing here',
    }),
  ),
});

/** What only the simulation reads. */
const simulatedCharacter = {
  footfall_peak: number(1, 100_000),
  rhythm: closedObject(each(dayParts, share)),
  weekend: number(0.3, 2),
  transit: share,
  traffic: share,
  carpark_lots: integer(0, 20_000),
};
const knownCharacter = { office: share, shelter: share, green: share };

const pocketFields = {
  id: slug,
  name: text(60),
  region: text(60),
  lat,
  lng,
  aliases: Type.Array(text(60), { maxItems: 40, description: 'a list of at most 40 names' }),
  expects: Type.Optional(
    Type.Array(oneOf(...expectedSignalKinds), {
      uniqueItems: true,
      description: `a list of ${expectedSignalKinds.join(', ')}, each at most once`,
    }),
  ),
  district: Type.Optional(slug),
};

export const simulatedPocketSchema = closedObject({
  ...pocketFields,
  character: closedObject({ summary: voicedText(120), ...knownCharacter, ...simulatedCharacter }),
});

/** Of a real place little is known: the loader fills in neutral values for the rest. */
export const livePocketSchema = closedObject({
  ...pocketFields,
  character: closedObject({
    summary: voicedText(120),
    ...Type.Partial(closedObject({ ...knownCharacter, ...simulatedCharacter })).properties,
  }),
});

export const outletSchema = closedObject({
  id: uuid,
  name: text(80),
  pocket_id: slug,
  unit: text(30),
  opens_at: clock,
  closes_at: clock,
  category: oneOf(...categories),
  active: flag,
  seats: integer(0, 5_000),
  typical_spend: number(0, 10_000),
  margin: share,
});

export const intentSchema = closedObject({
  slug,
  title: text(60),
  description: voicedText(160),
  public_page: flag,
  atmosphere: closedObject({ calm: leaning, stress: leaning, social_energy: leaning, productive: leaning }),
  rain: leaning,
  needs: Type.Optional(
    Type.Array(oneOf(...needs), {
      uniqueItems: true,
      maxItems: needs.length,
      description: `a list of ${needs.join(', ')}, each at most once`,
    }),
  ),
  hours: Type.Array(Type.Tuple([number(0, 24), number(0, 24)], { description: '[from, to]' }), {
    minItems: 1,
    maxItems: 12,
    description: 'a list of 1-12 [from, to] pairs',
  }),
  categories: Type.Partial(closedObject(each(categories, share)), {
    additionalProperties: false,
    description: 'an object of categories',
  }),
});

/** The name is for readers of the file; the registry holds the dates only. */
export const holidaySchema = closedObject({
  date: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'a date, YYYY-MM-DD' }),
  name: text(80),
});

/** Of files with facts that somebody else publishes. */
const credited = {
  $schema: Type.Optional(Type.String({ description: 'text' })),
  source: closedObject({ name: text(80), attribution: text(120), url }),
  licence: closedObject({ name: text(80), url }),
};

/** The one file that is drawn and not asked: its points are bounded, since every visitor loads them. */
export const outlineSchema = closedObject({
  ...credited,
  box: Type.Tuple([lng, lat, lng, lat], { description: '[west, south, east, north] in degrees' }),
  land: Type.Array(
    Type.Array(Type.Tuple([lng, lat], { description: '[lng, lat] in degrees' }), {
      minItems: 4,
      maxItems: MAX_OUTLINE_POINTS,
      description: `a closed ring of 4-${MAX_OUTLINE_POINTS} [lng, lat] pairs`,
    }),
    { minItems: 1, maxItems: 500, description: 'a list of 1-500 rings' },
  ),
});

export const placeSchema = closedObject({
  id: slug,
  name: text(80),
  kind: oneOf(...placeKinds),
  lat,
  lng,
  aliases: Type.Array(text(80), { maxItems: 20, description: 'a list of up to 20 names' }),
});

/** What is around the list of places; each entry is checked by itself, so that it is named in what is wrong. */
export const placesHeadSchema = closedObject({
  ...credited,
  places: Type.Array(Type.Unknown(), {
    maxItems: MAX_PLACES,
    description: `a list of up to ${MAX_PLACES} places`,
  }),
});

export const placesSchema = closedObject({
  ...placesHeadSchema.properties,
  places: Type.Array(placeSchema, {
    maxItems: MAX_PLACES,
    description: `a list of up to ${MAX_PLACES} places`,
  }),
});

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Agrees<S extends TSchema, T> = Exact<Plain<Static<S>>, Plain<T>>;
type OptionalIn<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** Compiles only while the schemas and the domain's types say the same. */
export const agreement: [
  Agrees<typeof citySchema, OptionalIn<City, 'seed' | 'priors'> & { $schema?: string; extends?: string }>,
  Agrees<typeof simulatedPocketSchema, OptionalIn<Omit<Pocket, 'sensors' | 'covered'>, 'expects'>>,
  Agrees<typeof outletSchema, Outlet>,
  Agrees<typeof intentSchema, Intent>,
  Agrees<typeof outlineSchema, Outline & { $schema?: string }>,
  Agrees<typeof placesSchema, PlacesCredit & { places: Place[]; $schema?: string }>,
] = [true, true, true, true, true, true];
