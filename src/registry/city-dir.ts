// The cities that are shipped with the service: a folder each under `cities/`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RegistryError } from './registry-error.ts';

export const citiesDir = join(import.meta.dirname, '../../cities');

const isCity = (name: string): boolean => existsSync(join(citiesDir, name, 'city.json'));

export const shippedCities = (): string[] => readdirSync(citiesDir).filter(isCity).sort();

/** The folder of a shipped city. */
export function cityDir(name: string): string {
  // The name comes from a setting: only a plain one may become a part of a path.
  if (/^[a-z0-9-]{1,64}$/.test(name) && isCity(name)) return join(citiesDir, name);
  throw new RegistryError([`there is no city of that name: CITY is one of ${shippedCities().join(', ')}`]);
}
