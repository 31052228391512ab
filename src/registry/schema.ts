/**
 * What the files of a city may contain. An operator writes them, and their words reach pages and answers,
 * so that every text is bounded and free of characters that hide or reorder the text around them.
 * Each field's `description` completes the sentence "<field> must be …" in the loader's errors.
 */
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import {
  type City,
  categories,
  dayParts,
  type Intent,
  type Outlet,
  type Pocket,
} from '../domain/city/city.ts';

const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false, description: 'an object' });

/** Visible characters and single plain spaces, with a letter or digit among them. */
const CLEAN = '(?=.*[\\p{L}\\p{N}])(?! )(?!.*  )(?:[^\\p{C}\\p{Z}\\p{DI}\\u2800]| )+(?<! )';

const text = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^${CLEAN}$`,
    description: `plain text of 1-${maxLength} characters, with no control, invisible or direction-changing characters and no stray spaces`,
  });

const voiced = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^(?!.*[\\p{Lu}!])${CLEAN}$`,
    description: `plain lowercase text of 1-${maxLength} characters without exclamation marks`,
  });

const number = (minimum: number, maximum: number) =>
  Type.Number({ minimum, maximum, description: `a number, ${minimum} to ${maximum}` });

const integer = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description: `a whole number, ${minimum} to ${maximum}` });

const share = number(0, 1);
const leaning = number(-1, 1);

const slug = Type.String({
  pattern: '^[a-z0-9-]+$',
  maxLength: 64,
  description: '1-64 of lowercase letters, digits and hyphens',
});

const uuid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  description: 'a UUID in lowercase',
});

const clock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM' });
const flag = Type.Boolean({ description: 'true or false' });
const category = Type.Enum([...categories], { description: `one of ${categories.join(', ')}` });

/** One property for each name, all of the same schema. */
const each = <K extends string, S extends TSchema>(names: readonly K[], schema: S) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<K, S>;

export const citySchema = closed({
  name: text(60),
  time_zone: Type.String({
    pattern: '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$',
    maxLength: 60,
    description: 'a time zone of the IANA database, such as Asia/Singapore',
  }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'a currency of ISO 4217, such as SGD' }),
  locale: Type.String({
    pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    maxLength: 35,
    description: 'a language tag of BCP 47, such as en-SG',
  }),
  weekend: Type.Array(integer(0, 6), { maxItems: 6, description: 'a list of days, 0 being Monday' }),
  seed: text(60),
});

export const pocketSchema = closed({
  id: slug,
  name: text(60),
  region: text(60),
  lat: number(-90, 90),
  lng: number(-180, 180),
  aliases: Type.Array(text(60), { maxItems: 40, description: 'a list of at most 40 names' }),
  character: closed({
    summary: voiced(120),
    footfall_peak: number(1, 100_000),
    rhythm: closed(each(dayParts, share)),
    weekend: number(0.3, 2),
    office: share,
    transit: share,
    traffic: share,
    shelter: share,
    green: share,
    carpark_lots: integer(0, 20_000),
  }),
});

export const outletSchema = closed({
  id: uuid,
  name: text(80),
  pocket_id: slug,
  unit: text(30),
  opens_at: clock,
  closes_at: clock,
  category,
  active: flag,
  seats: integer(0, 5_000),
  typical_spend_sgd: number(0, 10_000),
  margin: share,
});

export const intentSchema = closed({
  slug,
  title: text(60),
  description: voiced(160),
  public_page: flag,
  atmosphere: closed({ calm: leaning, stress: leaning, social_energy: leaning, productive: leaning }),
  rain: leaning,
  hours: Type.Array(Type.Tuple([number(0, 24), number(0, 24)], { description: '[from, to]' }), {
    minItems: 1,
    maxItems: 12,
    description: 'a list of 1-12 [from, to] pairs',
  }),
  categories: Type.Partial(closed(each(categories, share)), {
    additionalProperties: false,
    description: 'an object of categories',
  }),
});

/** The name is for readers of the file; the registry holds the dates only. */
export const holidaySchema = closed({
  date: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'a date, YYYY-MM-DD' }),
  name: text(80),
});

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Agrees<S extends TSchema, T> = Exact<Plain<Static<S>>, Plain<T>>;

/** Compiles only while the schemas and the domain's types say the same. */
export const agreement: [
  Agrees<typeof citySchema, Omit<City, 'scales' | 'priors'>>,
  Agrees<typeof pocketSchema, Omit<Pocket, 'expects'>>,
  Agrees<typeof outletSchema, Outlet>,
  Agrees<typeof intentSchema, Intent>,
] = [true, true, true, true];
