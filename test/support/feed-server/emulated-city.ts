// A copy of a city's folder whose feeds are asked at the emulator, and the places that these feeds then have.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Pocket } from '../../../src/domain/city/city.ts';
import { loadCity } from '../../../src/registry/load.ts';
import type { Feed } from '../../../src/sources/core/feed.ts';
import type { Place, Places } from './view.ts';

export interface EmulatedCity {
  places: Places;
  /** Feeds that are emulated, each with the name of its publisher here. */
  feeds: { id: string; adapter: string; publisher: string }[];
  /** Ids of those that are not, and have an address: it stays as it is. */
  others: string[];
  /** Writes the copy for an emulator at this address, with all that a live city needs to ask it. */
  write(dir: string, url: string): void;
}

/** The settings that lead an adapter to its publisher's addresses below `url`. */
const addresses: Readonly<Record<string, (url: string) => Record<string, string>>> = {
  'data-gov-sg': (url) => ({ v1_url: `${url}/v1`, v2_url: `${url}/v2` }),
  'lta-datamall': (url) => ({ base_url: url }),
  'open-meteo': (url) => ({ weather_url: url, air_url: url }),
  gbfs: (url) => ({ url: `${url}/2/gbfs.json` }),
  'gtfs-realtime': (url) => ({ url: `${url}/vehicle-positions.pb` }),
};

export const emulatedAdapters: readonly string[] = Object.keys(addresses);

/** Publishers of the generic adapters, by how their addresses begin. */
const generic: readonly (readonly [start: string, publisher: string])[] = [
  ['https://data.melbourne.vic.gov.au', 'opendatasoft'],
  ['https://raw.githubusercontent.com/codeformuenster/parking-decks-muenster', 'muenster-parking'],
  ['https://raw.githubusercontent.com/od-ms/radverkehr-zaehlstellen', 'muenster-bikes'],
];

export function emulatedCity(from: string): EmulatedCity {
  const { registry, feeds } = loadCity(from);
  const known = feeds.flatMap((feed) => {
    const publisher = findPublisher(feed);
    return publisher === null ? [] : [{ feed, publisher }];
  });
  const places: Record<string, readonly Place[]> = { '*': registry.pockets.map(placeOfPocket) };
  for (const { feed, publisher } of known)
    if (feed.places)
      for (const field of Object.keys(feed.fields))
        places[`${publisher}.${field}`] = feedPlaces(feed, registry.pockets);
  return {
    places,
    feeds: known.map(({ feed: { id, adapter }, publisher }) => ({ id, adapter, publisher })),
    others: feeds
      .filter((feed) => feed.settings.url !== undefined && !known.some((one) => one.feed === feed))
      .map(({ id }) => id),
    write: (dir, url) => writeCopy(from, dir, (feed) => redirected(feed, url)),
  };
}

function findPublisher({ adapter, settings }: Feed): string | null {
  if (Object.hasOwn(addresses, adapter)) return adapter;
  const url = String(settings.url ?? '');
  return generic.find(([start]) => url.startsWith(start))?.[1] ?? null;
}

function redirected(feed: Feed, url: string): Feed {
  const publisher = findPublisher(feed);
  if (publisher === null) return feed;
  const base = `${url}/${publisher}`;
  const [start = ''] = generic.find(([, name]) => name === publisher) ?? [];
  const own = addresses[publisher]?.(base) ?? { url: String(feed.settings.url).replace(start, base) };
  // The emulator listens on the loopback address.
  return { ...feed, allow_private: true, settings: { ...feed.settings, ...own } };
}

const placeOfPocket = ({ id, name, lat, lng }: Pocket): Place => ({ id, name, lat, lng });

/** Places of `sources.json`; one that is only assigned to a pocket stands in its middle. */
function feedPlaces({ places = {}, settings }: Feed, pockets: readonly Pocket[]): Place[] {
  const { columns = {} } = (settings.wide ?? {}) as { columns?: Record<string, string> };
  const names = new Map(Object.entries(columns).map(([name, id]) => [id, name]));
  return Object.entries(places).flatMap(([id, { lat, lng, pockets: assigned }]) => {
    const pocket = pockets.find((candidate) => candidate.id === assigned?.[0]);
    const at = lat !== undefined && lng !== undefined ? { lat, lng } : pocket;
    const name = names.get(id);
    return at ? [{ id, lat: at.lat, lng: at.lng, ...(name !== undefined && { name }) }] : [];
  });
}

function writeCopy(from: string, to: string, change: (feed: Feed) => Feed): void {
  cpSync(from, to, { recursive: true });
  const read = (file: string) => JSON.parse(readFileSync(join(to, file), 'utf8'));
  const write = (file: string, { $schema: _, ...content }: Record<string, unknown>) =>
    writeFileSync(join(to, file), `${JSON.stringify(content, null, 2)}\n`);
  const city = read('city.json') as { extends?: string };
  // Relative to the folder that was copied.
  write('city.json', city.extends === undefined ? city : { ...city, extends: resolve(from, city.extends) });
  const { sources } = read('sources.json') as { sources: Feed[] };
  write('sources.json', { sources: sources.map(change) });
}
