// The list of sources. The pipeline reads one of them: the first that is configured.
import type { Registry } from '../domain/city/city.ts';
import type { Feed } from './core/feed.ts';
import { liveSource, type ReadReceived } from './live/live-source.ts';
import { simulatedCity } from './simulated/city.ts';
import type { Source } from './source.ts';

/** The settings that sources read, by their names in src/config.ts. */
export interface SourceSettings {
  SEED: string;
  /** The feeds of a live city, and how to read what they gave. */
  feeds?: readonly Feed[];
  received?: ReadReceived;
}

/** Null: not configured. Called again whenever an operator has changed an outlet. */
export type OpenSource = (registry: Registry, settings: SourceSettings) => Source | null;

/** The simulated city needs no configuration, so it comes last. */
const sources: readonly OpenSource[] = [
  ({ city, pockets }, { feeds, received }) =>
    city.substrate === 'live' && feeds && received ? liveSource(pockets, feeds, received) : null,
  (registry, { SEED }) => simulatedCity(registry, SEED || registry.city.seed),
];

export function openSource(
  registry: Registry,
  settings: SourceSettings,
  list: readonly OpenSource[] = sources,
): Source {
  for (const open of list) {
    const source = open(registry, settings);
    if (source) return source;
  }
  throw new Error('no source is configured');
}
