// The places that visitors name (`places.json`): read, and checked against the pockets they are near to.
import type { Static } from 'typebox';
import { metresBetween, type Position } from '../domain/city/distance.ts';
import { PLACE_REACH_M } from '../domain/city/place.ts';
import { checkEntries, entryName, readOptional } from './read-files.ts';
import { placeSchema, placesHeadSchema, type placesSchema } from './schema.ts';

export type PlacesFile = Static<typeof placesSchema>;

export function readPlaces(dirs: readonly string[], problems: string[]): PlacesFile | undefined {
  const head = readOptional(dirs, 'places.json', placesHeadSchema, problems);
  if (!Array.isArray(head?.places)) return undefined;
  return { ...head, places: checkEntries('places.json', head.places, placeSchema, problems) };
}

/** Positions that cannot be meant: elsewhere on the globe, or with latitude and longitude exchanged. */
export function placeRules(file: PlacesFile | undefined, pockets: readonly Position[]): string[] {
  if (file === undefined || pockets.length === 0) return [];
  const farFrom = (place: Position) => Math.min(...pockets.map((pocket) => metresBetween(place, pocket)));
  return file.places.flatMap((place, at) => {
    const far = farFrom(place);
    if (far <= PLACE_REACH_M) return [];
    const isExchanged = farFrom({ lat: place.lng, lng: place.lat }) <= PLACE_REACH_M;
    const problem = isExchanged
      ? 'lat and lng are exchanged'
      : `lat and lng must be within ${PLACE_REACH_M / 1000} km of a pocket, but are ${Math.round(far / 1000)} km away`;
    return [`places.json: ${entryName(place, at)}: ${problem}`];
  });
}
