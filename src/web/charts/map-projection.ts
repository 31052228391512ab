// From coordinates to the plane of a map: north is up, with the same scale in both directions. Lengths are in px of the
// narrowest phone.
import { extentAround, type LngLat } from '../../domain/city/outline.ts';
import type { Point } from './label-placement.ts';

/** About the width on the narrowest phone, so that a unit is nearly a CSS pixel there and more on other screens. */
export const WIDTH = 360;
const SIDE = 34;
const TOP = 56;
const BOTTOM = 66;

export interface Projection {
  height: number;
  /** Length of a degree of latitude. */
  perDegree: number;
  toPoint(place: { lat: number; lng: number }): Point;
  toPlace(point: Point): LngLat;
}

/** A map that shows all of these places. One place alone shows a few kilometres. */
export function createProjection(places: readonly { lat: number; lng: number }[]): Projection {
  const { box, narrowing, side } = extentAround(places);
  const [west, south, east, north] = box;
  // The longer side fits the width, so that the map is never much taller than wide.
  const perDegree = (WIDTH - 2 * SIDE) / side;
  const high = (north - south) * perDegree;
  const left = (WIDTH - (east - west) * narrowing * perDegree) / 2;
  const height = Math.round(Math.max(high, 60) + TOP + BOTTOM);
  const top = TOP + (height - TOP - BOTTOM - high) / 2;
  return {
    height,
    perDegree,
    toPoint: ({ lat, lng }) => ({
      x: left + (lng - west) * narrowing * perDegree,
      y: top + (north - lat) * perDegree,
    }),
    toPlace: ({ x, y }) => [west + (x - left) / narrowing / perDegree, north - (y - top) / perDegree],
  };
}
