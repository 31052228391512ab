// Reads and checks the files of a city. All problems are reported together, so that one run shows what to correct.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Registry } from '../domain/city/city.ts';
import type { Outline } from '../domain/city/outline.ts';
import { expectedSignalKinds } from '../domain/signals/signal.ts';
import type { Feed } from '../sources/core/feed.ts';
import { renameLine } from '../sources/core/feed-keys.ts';
import { isForReplays } from '../sources/live/files.ts';
import { deepFreeze } from './check.ts';
import { listedSensors, measuredAt } from './coverage.ts';
import { neutralCharacter } from './defaults.ts';
import { feedSchema } from './feed-schema.ts';
import { readPlaces } from './places.ts';
import { entryName, readList, readOne, readOptional } from './read-files.ts';
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

/** The city described by the JSON files of a folder, checked and frozen. */
export function loadCity(dir: string, checkFeed: CheckFeed = () => []): LoadedCity {
  const problems: string[] = [];
  const city = readOne(dir, 'city.json', citySchema, problems);
  throwProblems(problems);
  const dirs = [dir, ...baseDirs(dir, city.extends)];
  const around = existsSync(join(dir, 'pockets.json')) ? [dir] : dirs;
  const pocketSchema = city.substrate === 'simulated' ? simulatedPocketSchema : livePocketSchema;
  const files: CityFiles = {
    city,
    pockets: readList(dirs, 'pockets', pocketSchema, problems),
    outlets: readList(dirs, 'outlets', outletSchema, problems),
    intents: readList(dirs, 'intents', intentSchema, problems),
    holidays: readList(dirs, 'holidays', holidaySchema, problems),
    sources: readList(dirs, 'sources', feedSchema, problems, true) as Feed[],
    // Outline and places belong to their pockets: a city with pockets of its own has its own or none.
    outline: readOptional(around, 'outline.json', outlineSchema, problems),
    places: readPlaces(around, problems),
  };
  problems.push(...oldKeyNames(files.sources));
  throwProblems(problems);
  throwProblems(brokenRules(files, checkFeed));
  return deepFreeze({ registry: buildRegistry(files), feeds: files.sources });
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

function buildRegistry({
  city,
  pockets,
  outlets,
  intents,
  holidays,
  sources,
  outline,
  places,
}: CityFiles): Registry {
  // A feed that only says what replay files hold gives nothing while the city is live.
  const read = sources.filter((feed) => !isForReplays(feed));
  const { $schema: _, extends: __, seed = '', priors = {}, ...rest } = city;
  // The simulation measures the eight signals themselves; `crowd` is for feeds.
  const simulated = expectedSignalKinds.filter((signal) => signal !== 'crowd');
  return {
    city: { ...rest, priors, seed },
    pockets: pockets.map((pocket) => ({
      ...pocket,
      character: { ...neutralCharacter, ...pocket.character },
      ...(pocket.character.shelter !== undefined && { covered: pocket.character.shelter }),
      expects: pocket.expects ?? (city.substrate === 'simulated' ? simulated : measuredAt(pocket, read)),
      ...(city.substrate === 'live' && { sensors: listedSensors(pocket, read) }),
    })),
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
