import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import type { Pocket } from '../../domain/city/city.ts';
import { expectedSignalKinds } from '../../domain/signals/signal.ts';
import { printable } from '../../domain/text/printable.ts';
import { citiesDir, cityDir } from '../../registry/city-dir.ts';
import { measuredAt, pocketCoverage } from '../../registry/coverage.ts';
import { type LoadedCity, loadCity } from '../../registry/load.ts';
import { newCityFiles } from '../../registry/new-city.ts';
import { RegistryError } from '../../registry/registry-error.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { feedTerms } from '../../sources/core/feed-terms.ts';
import { allAdapters, feedProblems } from '../../sources/live/all.ts';
import { openStore, type StoreSettings, sqliteFile } from '../../store/engine/open.ts';
import { excludedSensors } from '../../store/observation/excluded-sensors.ts';
import { print, text, UsageError } from '../runtime/command.ts';
import { CROWD_KINDS } from '../runtime/feeds/check-feeds.ts';
import { keyLines } from '../runtime/feeds/key-lines.ts';
import { unreadReason } from '../runtime/feeds/unread-feed.ts';
import { commandWithActions, readAction, textTable } from '../runtime/operator.ts';

const usage = `pocketwatch city check DIR
pocketwatch city new DIR --name NAME --time-zone ZONE --pocket "NAME,LAT,LNG" [--pocket …] [--currency CODE] [--locale TAG]

check reads the files of a city, names what is wrong by file, entry and field, and prints which feed reaches which
pocket and what no feed measures there. It contacts no feed. Where the store has watched the city it names
stand-ins that are usually as full at night as by day, and so do not show a crowd. It also says which variables of the environment the
feeds' keys need here (FEED_KEY_NAME, FEED_KEY_NAME_HOSTS).
new writes the files of a city that has weather alone. Set CITY_DIR to its folder to watch it.

  --time-zone   of the IANA database, such as Europe/Berlin
  --pocket      a place, with the latitude and longitude of its middle in degrees; several are several pockets
  --currency    ISO 4217; default: USD
  --locale      language tag of dates, such as en-GB; default: en-GB`;

/** Stand-ins that are named at most. */
const MAX_NAMED = 50;

export const cityCommand = commandWithActions('city', usage, { check, new: create });

async function check(args: string[]): Promise<void> {
  const { given } = readAction(args, {}, ['DIR']);
  const { FEED_KEYS, DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = readConfig(process.env);
  const city = loadCity(resolve(given[0] ?? ''), feedProblems);
  const { pockets, city: about } = city.registry;
  const points = pockets.map(({ id, lat, lng }) => ({ pocket_id: id, lat, lng }));
  const poll = { now: Date.now(), points, time_zone: about.time_zone };
  const lines = keyLines(city.feeds, poll, FEED_KEYS).map((line) => printable(line, 300));
  const nightly = await fullestAtNight(city.feeds, { databaseUrl, dataDir });
  print(
    [
      citySummary(city),
      ...(nightly.length ? [nightly.join('\n')] : []),
      ...(lines.length ? [['keys that are missing here:', ...lines].join('\n')] : []),
    ].join('\n\n'),
  );
}

/** What the store, where there is one, has found of the stand-ins of these feeds. */
export async function fullestAtNight(
  feeds: readonly Feed[],
  { databaseUrl, dataDir }: StoreSettings,
): Promise<string[]> {
  if (databaseUrl === 'none' || (!databaseUrl && !existsSync(sqliteFile(dataDir)))) return [];
  const store = openStore({ databaseUrl, dataDir });
  try {
    const sensors = await excludedSensors(store, MAX_NAMED);
    return sensors
      .filter((sensor) => feeds.some(({ id }) => sensor.startsWith(`${id}/`)))
      .map((sensor) =>
        printable(
          `${sensor} is usually as full from 02:00 to 05:00 as by day, or fuller: it does not show a crowd`,
          300,
        ),
      );
  } catch {
    return ['the store cannot be read: it is not known which stand-ins are fullest at night.'];
  } finally {
    await store.close();
  }
}

async function create(args: string[]): Promise<void> {
  const options = {
    name: text,
    'time-zone': text,
    pocket: { ...text, multiple: true },
    currency: { ...text, default: 'USD' },
    locale: { ...text, default: 'en-GB' },
  } as const;
  const { values, given } = readAction(args, options, ['DIR']);
  const { name, 'time-zone': time_zone, pocket = [], currency, locale } = values;
  if (name === undefined || time_zone === undefined || pocket.length === 0)
    throw new UsageError('--name, --time-zone and at least one --pocket must be given');
  const dir = resolve(given[0] ?? '');
  refuseFull(dir);
  const city = { name, time_zone, currency, locale, pockets: pocket.map(parsePocket) };
  const schemaDir = relative(dir, join(citiesDir, 'schema')).replaceAll('\\', '/');
  const files = newCityFiles(city, loadCity(cityDir('template')), schemaDir);
  refuseInvalid(files);
  mkdirSync(dir, { recursive: true });
  writeFiles(dir, files);
  print(
    `${citySummary(loadCity(dir))}\n\nwritten to ${dir}. priors in city.json are a guess: set them to the city's own.`,
  );
}

/** 'Market Square,51.5,-0.12'; the name may hold commas. */
function parsePocket(given: string): { name: string; lat: number; lng: number } {
  const [, name = '', lat = '', lng = ''] =
    /^(.*),\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/su.exec(given) ?? [];
  if (!name.trim())
    throw new UsageError(`--pocket must be "NAME,LAT,LNG" in degrees, but ${printable(given)} is not`);
  return { name: name.trim(), lat: Number(lat), lng: Number(lng) };
}

function refuseFull(dir: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') throw new UsageError(`${printable(dir, 200)} is not a folder`);
    if (code !== 'ENOENT') throw error;
  }
  if (names.length > 0) throw new UsageError(`${printable(dir, 200)} is not empty: nothing was written`);
}

/** Reads the files from a folder that is removed again, so that none is written where one is wrong. */
function refuseInvalid(files: Record<string, object>): void {
  const dir = mkdtempSync(join(tmpdir(), 'pocketwatch-city-'));
  try {
    writeFiles(dir, files);
    loadCity(dir);
  } catch (error) {
    if (error instanceof RegistryError) throw new UsageError(error.problems.join('; '));
    throw error;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function writeFiles(dir: string, files: Record<string, object>): void {
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(dir, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
}

/** What was read, for a person. */
export function citySummary({ registry, feeds }: LoadedCity): string {
  const { city, pockets, outlets, intents, holidays, outline, places, placesCredit } = registry;
  const head = [
    `${city.name}: ${city.time_zone}, ${city.currency}, ${city.substrate}, scales ${city.scales}`,
    `${pockets.length} pockets, ${outlets.length} outlets, ${intents.length} intents, ${holidays.length} holidays, ${feeds.length} feeds`,
    outline
      ? `outline of the land: ${outline.land.flat().length} points, ${outline.source.attribution}, ${outline.licence.name}`
      : 'no outline.json: the map draws no land',
    placesCredit
      ? `${places.length} places that visitors name, ${placesCredit.source.attribution}, ${placesCredit.licence.name}`
      : 'no places.json: only pockets are found by name',
  ].join('\n');
  if (city.substrate === 'simulated') return `${head}\nsimulated: no feeds are needed`;
  const feedRows = feeds.map((feed) => [
    ...[feed.id, feed.adapter, `${feed.every_seconds} s`, `${feed.reach_m} m`],
    unreadReason(feed) ?? measureNames(feed),
  ]);
  const read = feeds.filter((feed) => unreadReason(feed) === null);
  const pocketRows = pockets.map((pocket) => [
    pocket.id,
    coverageText(pocket, read),
    missingAt(pocket, read).join(', ') || 'nothing',
  ]);
  return [
    head,
    textTable(['feed', 'adapter', 'every', 'reach', 'measures'], feedRows),
    textTable(['pocket', 'feeds that reach it (places, nearest)', 'not measured'], pocketRows),
    crowdLines(pockets, read).join('\n'),
  ].join('\n\n');
}

const measureNames = ({ fields }: Feed): string =>
  [...new Set(Object.values(fields).map(({ measures }) => measures))].join(', ');

/** 'parking (3, 295 m), weather': of feeds whose places are known, how many reach it and the distance of the nearest. */
function coverageText(pocket: Pocket, feeds: readonly Feed[]): string {
  const covers = pocketCoverage(pocket, feeds).map(({ feed, places }) => {
    if (places === 'all') return feed.id;
    const [nearest] = places.flatMap(({ metres }) => metres ?? []).sort((a, b) => a - b);
    return `${feed.id} (${places.length}${nearest === undefined ? '' : `, ${nearest} m`})`;
  });
  return covers.join(', ') || 'none';
}

/** People counted (`footfall`) are a crowd signal too, and few cities have them: they are not named as missing. */
function missingAt(pocket: Pocket, feeds: readonly Feed[]): string[] {
  const measured = measuredAt(pocket, feeds);
  const known = new Set([...measured, 'footfall', ...(measured.includes('footfall') ? ['crowd'] : [])]);
  return expectedSignalKinds.filter((signal) => !known.has(signal));
}

/** Which pockets could never have a moment, and which only with a key. */
function crowdLines(pockets: readonly Pocket[], feeds: readonly Feed[]): string[] {
  const without = pockets.filter((pocket) => missingAt(pocket, feeds).includes('crowd'));
  const byKeys = Map.groupBy(
    pockets.filter((pocket) => !without.includes(pocket)),
    (pocket) => neededKeys(pocket, feeds).join(' or '),
  );
  const keyed = [...byKeys].filter(([keys]) => keys !== '');
  return [
    ...(without.length === 0 ? ['every pocket has a feed that measures its crowd.'] : []),
    ...(without.length > 0
      ? [
          `no feed measures the crowd of ${pocketIds(without)}: there the service reads weather and air, and no moment is composed.`,
          'a feed with a field that measures crowd is missing (counters of people or bikes, free places of public car parks): docs/sources.md has recipes.',
        ]
      : []),
    ...keyed.map(
      ([keys, some]) =>
        `the crowd of ${pocketIds(some)} is measured only with the key in ${keys}: no moment without it.`,
    ),
  ];
}

const pocketIds = (pockets: readonly Pocket[]): string => pockets.map(({ id }) => id).join(', ');

/** The variables with the keys of the feeds that measure the crowd of a pocket; none where one of them needs no key. */
function neededKeys(pocket: Pocket, feeds: readonly Feed[]): string[] {
  const keys = pocketCoverage(pocket, feeds)
    .filter(({ feed }) => Object.values(feed.fields).some(({ measures }) => CROWD_KINDS.includes(measures)))
    .map(({ feed }) => {
      const adapter = allAdapters.find(({ name }) => name === feed.adapter);
      const key = adapter && feedTerms(feed, adapter).key;
      return key?.required ? key.env : null;
    });
  return keys.includes(null) ? [] : [...new Set(keys.flatMap((key) => key ?? []))];
}
