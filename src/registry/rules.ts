// Rules across the entries and files of a city, which the schema of one entry cannot express.
import type { Static } from 'typebox';
import type { Intent, Outlet, Pocket } from '../domain/city/city.ts';
import { MOST_POCKETS } from '../domain/city/districts.ts';
import { normalise } from '../domain/city/name-index.ts';
import { contains, MAX_OUTLINE_POINTS, outlineBox } from '../domain/city/outline.ts';
import { pocketSignalKinds } from '../domain/signals/signal.ts';
import type { Feed, FieldUse } from '../sources/core/feed.ts';
import { outletRules } from './outlets.ts';
import { type PlacesFile, placeRules } from './places.ts';
import { entryName } from './read-files.ts';
import type { citySchema, holidaySchema, outlineSchema } from './schema.ts';

export interface CityFiles {
  city: Static<typeof citySchema>;
  pockets: readonly Pocket[];
  outlets: readonly Outlet[];
  intents: Intent[];
  holidays: Static<typeof holidaySchema>[];
  sources: Feed[];
  outline: Static<typeof outlineSchema> | undefined;
  places: PlacesFile | undefined;
}

/** What is wrong with the settings of a feed, by its adapter's own schema: the registry does not know adapters. */
export type CheckFeed = (feed: Feed) => string[];

export function brokenRules(files: CityFiles, checkFeed: CheckFeed): string[] {
  const { pockets, outlets, intents, holidays } = files;
  const known = new Set(pockets.map(({ id }) => id));
  return [
    ...cityRules(files),
    ...(pockets.length === 0 ? ['pockets.json must hold at least one pocket'] : []),
    ...findRepeated('pockets.json', 'id', pockets, ({ id }) => id),
    ...findRepeated('pockets.json', 'name', pockets, ({ name }) => normalise(name)),
    ...districtRules(pockets),
    ...findRepeated('outlets.json', 'id', outlets, ({ id }) => id),
    ...outletRules((id) => known.has(id)).flatMap((rule) => each('outlets.json', outlets, rule)),
    ...findRepeated('intents.json', 'slug', intents, ({ slug }) => slug),
    ...each(
      'intents.json',
      intents,
      ({ hours }) => hours.some(([from, to]) => from >= to) && 'hours must each begin before they end',
    ),
    ...findRepeated('holidays.json', 'date', holidays, ({ date }) => date),
    ...each('holidays.json', holidays, ({ date }) => !isDay(date) && 'date must be a day of the calendar'),
    ...feedRules(files, known, checkFeed),
    ...outlineRules(files),
    ...findRepeated('places.json', 'id', files.places?.places ?? [], ({ id }) => id),
    ...placeRules(files.places, pockets),
  ];
}

/** Districts are stated for every pocket, or for none: then they are formed. */
function districtRules(pockets: CityFiles['pockets']): string[] {
  const stated = pockets.filter(({ district }) => district !== undefined);
  const sizes = Map.groupBy(stated, ({ district }) => district);
  return [
    ...(stated.length && stated.length < pockets.length
      ? [
          `pockets.json must state the district of every pocket or of none: ${stated.length} of ${pockets.length} have one`,
        ]
      : []),
    ...[...sizes].flatMap(([district, own]) =>
      own.length > MOST_POCKETS
        ? [`district ${district} has ${own.length} pockets: at most ${MOST_POCKETS} can be in one`]
        : [],
    ),
  ];
}

function cityRules({ city, sources }: CityFiles): string[] {
  const { time_zone, currency, locale, substrate, scales, priors, seed } = city;
  const ranges = Object.entries(priors ?? {}).filter(([, range]) => range.low >= range.high);
  return [
    ...(isZone(time_zone) ? [] : [`time_zone ${time_zone} is not in the IANA database`]),
    ...(Intl.supportedValuesOf('currency').includes(currency)
      ? []
      : [`currency ${currency} is not a currency of ISO 4217`]),
    ...(isLocale(locale) ? [] : [`locale ${locale} is not a language tag that this machine knows`]),
    ...(substrate === 'simulated' && seed === undefined ? ['seed is missing: substrate is simulated'] : []),
    ...(substrate === 'live' && seed !== undefined ? ['seed is only for a simulated city'] : []),
    ...(scales === 'learned' ? unknownRanges(priors, sources) : []),
    ...ranges.map(([kind]) => `priors.${kind}.low must be below priors.${kind}.high`),
  ].map((problem) => `city.json: ${problem}`);
}

/** Without a prior, nothing could be judged in the weeks before a scale is learned. */
function unknownRanges(priors: CityFiles['city']['priors'], sources: readonly Feed[]): string[] {
  const measured = new Set(
    sources.flatMap(({ fields }) => Object.values(fields).map(({ measures }) => measures)),
  );
  return pocketSignalKinds
    .filter((kind) => measured.has(kind) && !priors?.[kind])
    .map((kind) => `priors.${kind} is missing: scales is learned, and sources.json measures it`);
}

function feedRules({ city, sources }: CityFiles, known: ReadonlySet<string>, checkFeed: CheckFeed): string[] {
  if (city.substrate === 'simulated' && sources.length > 0)
    return ['sources.json must be empty or absent where substrate is simulated'];
  const problems = (feed: Feed): string[] => [
    ...Object.entries(feed.fields).flatMap(([field, use]) =>
      fieldRules(field, use).map((problem) => `fields.${field}.${problem}`),
    ),
    ...Object.entries(feed.places ?? {}).flatMap(([place, { lat, lng, pockets }]) => [
      ...((lat === undefined) === (lng === undefined) ? [] : [`places.${place} must have both lat and lng`]),
      ...(lat === undefined && !pockets ? [`places.${place} must have a position or a list of pockets`] : []),
      ...(pockets ?? [])
        .filter((id) => !known.has(id))
        .map((id) => `places.${place}: pocket ${id} is not in pockets.json`),
    ]),
    ...checkFeed(feed),
  ];
  return [
    ...findRepeated('sources.json', 'id', sources, ({ id }) => id),
    ...sources.flatMap((feed, at) =>
      problems(feed).map((problem) => `sources.json: ${entryName(feed, at)}: ${problem}`),
    ),
  ];
}

function fieldRules(
  field: string,
  { measures, points, status, range, capacity, within_slot }: FieldUse,
): string[] {
  const { field: at, ...states } = status ?? {};
  const { low, high } = range ?? {};
  return [
    ...(measures === 'crowd' && points === undefined
      ? ['points is missing: up or down as the pocket gets busier']
      : []),
    ...(measures !== 'crowd' && points !== undefined ? ['points is only for crowd'] : []),
    ...(at === field ? ['status.field must be another field: words of its own are in words'] : []),
    ...(status && Object.keys(states).length === 0
      ? ['status must list the values of a state: full, empty, closed or no_data']
      : []),
    ...Object.entries({ range, capacity }).flatMap(([name, given]) => {
      if (given === undefined) return [];
      if (measures !== 'crowd') return [`${name} is only for crowd`];
      return within_slot === 'sum' ? [`${name} is not for values that are added up within a slot`] : [];
    }),
    ...(capacity === field ? ['capacity must be another field'] : []),
    ...(low !== undefined && high !== undefined && low >= high ? ['range.low must be below range.high'] : []),
  ];
}

function outlineRules({ outline, pockets }: CityFiles): string[] {
  if (outline === undefined || pockets.length === 0) return [];
  const { box, land } = outline;
  const points = land.flat();
  const needed = outlineBox(pockets);
  return [
    ...(points.length > MAX_OUTLINE_POINTS
      ? [`land must have at most ${MAX_OUTLINE_POINTS} points in all, but has ${points.length}`]
      : []),
    ...land.flatMap((ring, at) =>
      String(ring[0]) === String(ring.at(-1)) ? [] : [`land.${at} must end where it begins`],
    ),
    ...(points.every(([lng, lat]) => contains(box, [lng, lat, lng, lat])) ? [] : ['land must lie in box']),
    // A map shows more than its pockets: what is beyond the box would look like water.
    ...(contains(box, needed) ? [] : [`box must contain [${needed.join(', ')}]`]),
  ].map((problem) => `outline.json: ${problem}`);
}

function each<T>(file: string, entries: readonly T[], problemOf: (entry: T) => string | false): string[] {
  return entries.flatMap((entry, at) => {
    const problem = problemOf(entry);
    return problem === false ? [] : [`${file}: ${entryName(entry, at)}: ${problem}`];
  });
}

/** Entries whose key, as `keyOf` gives it, an earlier entry already has. */
function findRepeated<T>(
  file: string,
  field: string,
  entries: readonly T[],
  keyOf: (entry: T) => string,
): string[] {
  const first = new Map<string, number>();
  return entries.flatMap((entry, at) => {
    const before = first.get(keyOf(entry));
    if (before === undefined) first.set(keyOf(entry), at);
    return before === undefined
      ? []
      : [`${file}: ${entryName(entry, at)}: ${field} must be unique, but entry ${before + 1} has it too`];
  });
}

const isDay = (date: string): boolean => {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date);
};

const accepts = (construct: () => unknown): boolean => {
  try {
    construct();
    return true;
  } catch {
    return false;
  }
};

export const isZone = (timeZone: string): boolean =>
  accepts(() => new Intl.DateTimeFormat('en', { timeZone }));

const isLocale = (locale: string): boolean =>
  accepts(() => Intl.getCanonicalLocales(locale)) &&
  Intl.DateTimeFormat.supportedLocalesOf(locale).length === 1;
