// The list of sources. The pipeline reads one of them: the first that is configured.
import type { Registry } from '../domain/city/city.ts';
import { simulatedCity } from './simulated/city.ts';
import type { Source } from './source.ts';

/** The settings that sources read, by their names in src/config.ts. */
export interface SourceSettings {
  SEED: string;
}

/** Null: not configured. Called again whenever an operator has changed an outlet. */
export type OpenSource = (registry: Registry, settings: SourceSettings) => Source | null;

/** The simulated city needs no configuration, so it comes last. */
const sources: readonly OpenSource[] = [
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
