// The listed places of a city as the map carries them: a line each, from which map-places.js draws dots and names once
// the map is zoomed in. Without scripts the map cannot be zoomed, and they would only crowd it.
import { normalise } from '../../domain/city/name-index.ts';
import type { Place, PlaceKind } from '../../domain/city/place.ts';
import type { Box } from './label-placement.ts';
import type { Projection } from './map-projection.ts';

/** Some kilobytes in a page at most. */
const MAX_SHOWN = 250;

const letters: Record<PlaceKind, string> = { station: 's', landmark: 'l', street: 't' };

/** Those that are named first where there is no room for all. */
const order: readonly PlaceKind[] = ['station', 'landmark', 'street'];

/**
 * `x y k name` a line, k being a letter for the kind, of places inside an area, in the order in which they are
 * named. A place that has the name of a pocket says what it is, so that no name stands twice on the map.
 */
export function placeLines(
  places: readonly Place[],
  spots: readonly { name: string }[],
  { toPoint }: Projection,
  { x, y, width, height }: Box,
): string {
  const taken = new Set(spots.map(({ name }) => normalise(name)));
  return places
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .map((place) => ({ ...place, at: toPoint(place) }))
    .filter(({ at }) => at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height)
    .slice(0, MAX_SHOWN)
    .map(({ at, kind, name }) => {
      const label = taken.has(normalise(name)) ? `${name} ${kind}` : name;
      return `${tenth(at.x)} ${tenth(at.y)} ${letters[kind]} ${label}`;
    })
    .join('\n');
}

const tenth = (n: number): number => Math.round(n * 10) / 10;
