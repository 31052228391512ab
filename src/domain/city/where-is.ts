/** What a visitor's words name: a watched pocket, a listed place with the pockets nearest to it, or nothing known. */
import { metresBetween, type Position } from './distance.ts';
import { type Lookup, type Match, MIN_CONFIDENCE } from './lookup.ts';
import { buildNameIndex, normalise } from './name-index.ts';
import type { Place } from './place.ts';

export interface PlaceMatch {
  place: Place;
  /** 0..1; 1 only for the exact name or alias, of a station also with the word that says what it is. */
  confidence: number;
}

export interface PlaceIndex {
  /** At most 3, the most confident first; empty when nothing reaches 0.2. */
  findPlace(query: string): PlaceMatch[];
}

/** As many as the contract gives for pockets. */
const MAX_MATCHES = 3;

/** What people add to the name of a station. */
const stationWords = ['station', 'mrt', 'mrt station'];

export function buildPlaceIndex(places: readonly Place[]): PlaceIndex {
  const rank = buildNameIndex(places, (place) => ({
    id: place.id,
    labels: placeNames(place).map((name) => [name, 1]),
  }));
  return {
    findPlace: (query) =>
      rank(query)
        .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
        .slice(0, MAX_MATCHES)
        .map(({ item, confidence }) => ({ place: item, confidence })),
  };
}

const placeNames = ({ id, name, kind, aliases }: Place): string[] => [
  id,
  name,
  ...aliases,
  ...(kind === 'station' ? stationWords.map((word) => `${name} ${word}`) : []),
];

export interface NearPocket {
  pocket_id: string;
  display_name: string;
  /** As the crow flies. */
  metres: number;
}

/** The `count` pockets nearest to a position, the nearest first. */
export const nearestPockets = (
  position: Position,
  pockets: readonly (Position & { id: string; name: string })[],
  count: number,
): NearPocket[] =>
  pockets
    .map((pocket) => ({
      pocket_id: pocket.id,
      display_name: pocket.name,
      metres: Math.round(metresBetween(position, pocket)),
    }))
    .sort((a, b) => a.metres - b.metres || (a.pocket_id < b.pocket_id ? -1 : 1))
    .slice(0, count);

export type Whereabouts =
  /** Watched: up to three pockets that may be meant, the likeliest first. */
  | { kind: 'pocket'; matches: Match[] }
  /** Not watched, and its position is known. */
  | { kind: 'place'; place: Place; confidence: number; nearest: NearPocket[] }
  /** Not known: no position is guessed. Similar names of pockets, which may be none. */
  | { kind: 'unknown'; suggestions: string[] };

export interface KnownNames {
  lookup: Lookup;
  places: PlaceIndex;
  pockets: readonly (Position & { id: string; name: string })[];
}

/** Less alike than this, a place is not what was meant. */
const LEAST_LIKE = 0.5;
/** The exact name of a region has this confidence: a place that is merely similar does not stand before it. */
const SURE_POCKET = 0.6;
/** As many as a search for pockets gives. */
const NEAREST = 3;

export function whereIs(query: string, { lookup, places, pockets }: KnownNames): Whereabouts {
  const matches = lookup.find(query);
  const [pocket] = matches;
  const [named] = places.findPlace(query);
  if (named && isMeant(named, pocket)) {
    const { place, confidence } = named;
    return { kind: 'place', place, confidence, nearest: nearestPockets(place, pockets, NEAREST) };
  }
  return pocket ? { kind: 'pocket', matches } : { kind: 'unknown', suggestions: lookup.suggest(query) };
}

function isMeant({ place, confidence }: PlaceMatch, pocket: Match | undefined): boolean {
  if (!pocket) return confidence >= LEAST_LIKE;
  // Who names the station of a pocket means the pocket.
  if (normalise(place.name) === normalise(pocket.display_name)) return false;
  if (confidence <= pocket.confidence) return false;
  return confidence === 1 || (confidence >= LEAST_LIKE && pocket.confidence < SURE_POCKET);
}
