// The feeds of a city's folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RegistryError } from '../../registry/load.ts';
import type { Feed } from '../../sources/core/feed.ts';

/** The list in `sources.json`, or none where there is no such file. */
export function readFeeds(dir: string): Feed[] {
  const file = join(dir, 'sources.json');
  if (!existsSync(file)) return [];
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Feed[] | { sources: Feed[] };
    return Array.isArray(value) ? value : value.sources;
  } catch {
    throw new RegistryError(['sources.json is not JSON']);
  }
}
