/** Which pockets a place of a feed counts for. */
import type { Pocket } from '../../domain/city/city.ts';
import { metresBetween } from '../../domain/city/distance.ts';
import { type Feed, statedPlace } from './feed.ts';
import type { Measurement } from './measurement.ts';

/** A pocket that a place counts for, and how far away it is; 0 where `sources.json` assigns it. */
export interface Reach {
  pocket_id: string;
  metres: number;
}

/** Places that are remembered at the least; twice as many at the most. Ids and positions are the feed's to invent. */
const REMEMBERED = 20_000;

/** Finds the pockets of a place. What it finds is remembered: places are asked about at every slot. */
export function placeFinder(
  pockets: readonly Pocket[],
  remembered = REMEMBERED,
): (feed: Feed, place: Pick<Measurement, 'place_id' | 'lat' | 'lng'>) => readonly Reach[] {
  // Two generations: what was not asked for while the newer one filled is dropped with the older.
  let newer = new Map<string, readonly Reach[]>();
  let older = new Map<string, readonly Reach[]>();
  return (feed, { place_id, lat, lng }) => {
    const key = `${feed.id} ${place_id} ${lat} ${lng}`;
    const known = newer.get(key);
    if (known) return known;
    const found = older.get(key) ?? pocketsReached(pockets, feed, { place_id, lat, lng });
    if (newer.size >= remembered) {
      older = newer;
      newer = new Map();
    }
    newer.set(key, found);
    return found;
  };
}

function pocketsReached(
  pockets: readonly Pocket[],
  feed: Feed,
  { place_id, lat, lng }: Pick<Measurement, 'place_id' | 'lat' | 'lng'>,
): Reach[] {
  const stated = statedPlace(feed, place_id);
  const { reach_m } = feed;
  if (stated?.pockets) return stated.pockets.map((pocket_id) => ({ pocket_id, metres: 0 }));
  const at = { lat: stated?.lat ?? lat, lng: stated?.lng ?? lng };
  const { lat: here, lng: there } = at;
  if (here === null || there === null) return [];
  return pockets
    .map((pocket) => ({ pocket_id: pocket.id, metres: metresBetween({ lat: here, lng: there }, pocket) }))
    .filter(({ metres }) => metres <= reach_m)
    .sort((a, b) => a.metres - b.metres);
}
