// The files of a new city that has weather alone. Feeds and intents come from the shipped template.
import { normalise } from '../domain/city/name-index.ts';
import type { LoadedCity } from './load.ts';

export interface NewCity {
  name: string;
  time_zone: string;
  currency: string;
  locale: string;
  pockets: { name: string; lat: number; lng: number }[];
}

const TROPICS = 23.5;

/**
 * The contents of each file, by its name without `.json`. `schemaDir` is the path from the city's folder to the
 * schemas, for editors.
 */
export function newCityFiles(
  { pockets, ...city }: NewCity,
  { registry, feeds }: LoadedCity,
  schemaDir: string,
): Record<string, object> {
  const tropical = pockets.every(({ lat }) => Math.abs(lat) < TROPICS);
  const { priors, weekend } = registry.city;
  const lists = {
    pockets: pockets.map(({ name, lat, lng }) => ({
      id: idFromName(name),
      name,
      region: city.name,
      lat,
      lng,
      aliases: [],
      character: { summary: 'a pocket that nobody has described yet' },
    })),
    outlets: [],
    intents: registry.intents,
    holidays: [],
    sources: feeds,
  };
  const files: [name: string, content: object][] = [
    [
      'city',
      {
        ...city,
        weekend,
        substrate: 'live',
        scales: 'learned',
        // The template's ranges are those of a temperate climate.
        priors: tropical ? { ...priors, temperature_c: { low: 22, high: 33 } } : priors,
      },
    ],
    ...Object.entries(lists).map(([name, list]): [string, object] => [name, { [name]: list }]),
  ];
  return Object.fromEntries(
    files.map(([name, content]) => [name, { $schema: `${schemaDir}/${name}.schema.json`, ...content }]),
  );
}

/** 'Café du Port' → 'cafe-du-port'. A name without latin letters has none: the loader then says what an id may be. */
const idFromName = (name: string): string => normalise(name).replaceAll(' ', '-').slice(0, 64);
