// Reads and checks the files of a city. All problems are reported together, so that one run shows what to correct.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Static } from 'typebox';
import type { Outlet, Pocket, Registry } from '../domain/city/city.ts';
import { columnList } from '../domain/city/lists/columns.ts';
import { deepFreeze } from '../domain/city/lists/deep-freeze.ts';
import { keptFields } from '../domain/city/lists/share-registry.ts';
import { ColumnsWriter } from '../domain/city/lists/write-columns.ts';
import type { Outline } from '../domain/city/outline.ts';
import { expectedSignalKinds } from '../domain/signals/signal.ts';
import type { Feed } from '../sources/core/feed.ts';
import { renameLine } from '../sources/core/feed-keys.ts';
import { isForReplays } from '../sources/live/files.ts';
import { listedSensors, measuredAt } from './coverage.ts';
import { neutralCharacter } from './defaults.ts';
import { feedSchema } from './feed-schema.ts';
import { readPlaces } from './places.ts';
import { entryName, readList, readLongList, readOne, readOptional } from './read-files.ts';
import { RegistryError, throwProblems } from './registry-error.ts';
import { brokenRules, type CheckFeed, type CityFiles } from './rules.ts';
import {
  citySchema,
  holidaySchema,
  intentSchema,
  livePocketSchema,
  outletSchema,
  outlineSchema,
  simulatedPocketSchema,
} from './schema.ts';

export interface LoadedCity {
  registry: Registry;
  /** The feeds of `sources.json`; none for a simulated city. */
  feeds: Feed[];
}

/** How the pockets and outlets are kept: as objects, or as columns, which a process that only answers can share. */
export type ListForm = 'objects' | 'columns';

/** The city described by the JSON files of a folder, checked and frozen. */
export function loadCity(
  dir: string,
  checkFeed: CheckFeed = () => [],
  form: ListForm = 'objects',
): LoadedCity {
  const problems: string[] = [];
  const city = readOne(dir, 'city.json', citySchema, problems);
  throwProblems(problems);
  const dirs = [dir, ...baseDirs(dir, city.extends)];
  const around = existsSync(join(dir, 'pockets.json')) ? [dir] : dirs;
  const pocketSchema = city.substrate === 'simulated' ? simulatedPocketSchema : livePocketSchema;
  // Pockets need the feeds; what is wrong is still said in the order of the files.
  const feedFaults: string[] = [];
  const sources = readList(dirs, 'sources', feedSchema, feedFaults, true) as Feed[];
  const complete = completePocket(city, feedFaults.length ? [] : sources);
  const pockets = newList<Pocket>(form, keptFields.pockets);
  readLongList(dirs, 'pockets', pocketSchema, problems, (pocket) => pockets.add(complete(pocket)));
  const outlets = newList<Outlet>(form, keptFields.outlets);
  readLongList(dirs, 'outlets', outletSchema, problems, outlets.add);
  const files: CityFiles = {
    city,
    pockets: pockets.end(),
    outlets: outlets.end(),
    intents: readList(dirs, 'intents', intentSchema, problems),
    holidays: readList(dirs, 'holidays', holidaySchema, problems),
    sources,
    // Outline and places belong to their pockets: a city with pockets of its own has its own or none.
    outline: readOptional(around, 'outline.json', outlineSchema, feedFaults),
    places: readPlaces(around, feedFaults),
  };
  problems.push(...feedFaults, ...oldKeyNames(files.sources));
  throwProblems(problems);
  throwProblems(brokenRules(files, checkFeed));
  return deepFreeze({ registry: buildRegistry(files), feeds: files.sources });
}

/** Collects the entries of a list. */
function newList<T extends object>(form: ListForm, kept: readonly string[]) {
  if (form === 'objects') {
    const entries: T[] = [];
    return { add: (entry: T) => void entries.push(entry), end: (): readonly T[] => entries };
  }
  const columns = new ColumnsWriter(kept);
  return { add: (entry: T) => columns.add(entry), end: () => columnList<T>(columns.end()) };
}

/** The schema says which names of keys may stand in a file; of those of earlier versions it is known what they are now. */
const oldKeyNames = (sources: readonly unknown[]): string[] =>
  sources.flatMap((entry, at) => {
    const { key } = (entry ?? {}) as { key?: { env?: unknown } | null };
    const line = renameLine(String(key?.env));
    return line === undefined ? [] : [`sources.json: ${entryName(entry, at)}: key.env: ${line}`];
  });

export const loadRegistry = (dir: string): Registry => loadCity(dir).registry;

/** The folder that a city takes its missing lists from. It is not followed further. */
function baseDirs(dir: string, base: string | undefined): string[] {
  if (base === undefined) return [];
  const folder = resolve(dir, base);
  if (!existsSync(join(folder, 'city.json')))
    throw new RegistryError([`city.json: extends must be the folder of a city, but ${folder} is not one`]);
  return [folder];
}

/** A function that fills in what the file of the pockets leaves out. */
function completePocket(
  { substrate }: CityFiles['city'],
  sources: readonly Feed[],
): (pocket: Static<typeof livePocketSchema>) => Pocket {
  // A feed that only says what replay files hold gives nothing while the city is live.
  const read = sources.filter((feed) => !isForReplays(feed));
  // The simulation measures the eight signals themselves; `crowd` is for feeds.
  const simulated = expectedSignalKinds.filter((signal) => signal !== 'crowd');
  return (pocket) => ({
    ...pocket,
    character: { ...neutralCharacter, ...pocket.character },
    ...(pocket.character.shelter !== undefined && { covered: pocket.character.shelter }),
    expects: pocket.expects ?? (substrate === 'simulated' ? simulated : measuredAt(pocket, read)),
    ...(substrate === 'live' && { sensors: listedSensors(pocket, read) }),
  });
}

function buildRegistry({ city, pockets, outlets, intents, holidays, outline, places }: CityFiles): Registry {
  const { $schema: _, extends: __, seed = '', priors = {}, ...rest } = city;
  return {
    city: { ...rest, priors, seed },
    pockets,
    outlets,
    intents,
    holidays: holidays.map(({ date }) => date),
    holidayNames: Object.fromEntries(holidays.map(({ date, name }) => [date, name])),
    ...(outline && { outline: withoutSchema(outline) }),
    places: places?.places ?? [],
    ...(places && { placesCredit: { source: places.source, licence: places.licence } }),
  };
}

const withoutSchema = ({ $schema: _, ...outline }: NonNullable<CityFiles['outline']>): Outline => outline;
