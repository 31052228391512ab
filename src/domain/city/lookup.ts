/** Finds pockets by name. Every id, name, alias and region is a label (`name-index.ts`). */
import type { Pocket } from './city.ts';
import { buildNameIndex } from './name-index.ts';

export { normalise } from './name-index.ts';

export interface Match {
  pocket_id: string;
  display_name: string;
  lat: number;
  lng: number;
  region: string;
  /** 0..1; 1 only for the exact id, name or alias. */
  confidence: number;
}

export interface Lookup {
  /** At most 3, the most confident first; empty when nothing reaches 0.2. */
  find(query: string): Match[];
  /** At most 3 display names to offer when nothing matched, the most similar first; none where none is similar. */
  suggest(query: string): string[];
}

/** Both are the contract's. */
const MAX_MATCHES = 3;
export const MIN_CONFIDENCE = 0.2;
/** Below it a name has a few letters in common with the query, as any two names have. */
const MIN_SUGGESTION = 0.1;
/** A region has several pockets, so an exact match of it does not identify one. */
const REGION_SCORE = 0.6;

export function buildLookup(pockets: readonly Pocket[]): Lookup {
  const rank = buildNameIndex(pockets, ({ id, name, aliases, region }) => ({
    id,
    labels: [...[id, name, ...aliases].map((label): [string, number] => [label, 1]), [region, REGION_SCORE]],
  }));
  const best = (query: string, least: number) =>
    rank(query)
      .filter(({ confidence }) => confidence >= least)
      .slice(0, MAX_MATCHES);
  return {
    find: (query) =>
      best(query, MIN_CONFIDENCE).map(
        ({ item: { id: pocket_id, name: display_name, lat, lng, region }, confidence }) => {
          return { pocket_id, display_name, lat, lng, region, confidence };
        },
      ),
    suggest: (query) => [...new Set(best(query, MIN_SUGGESTION).map(({ item }) => item.name))],
  };
}
