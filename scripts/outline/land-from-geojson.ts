// The land of a GeoJSON file inside a box, as the rings of a city's outline.json.
import { type Box, clipRing, type LngLat } from '../../src/domain/city/outline.ts';
import { simplifyRing } from './simplify-ring.ts';

/** What GeoJSON (RFC 7946) allows at each level; whatever has no area is passed over. */
export interface GeoJson {
  type: string;
  features?: GeoJson[];
  geometry?: GeoJson | null;
  geometries?: GeoJson[];
  coordinates?: unknown;
}

export function collectRings({ type, features, geometry, geometries, coordinates }: GeoJson): LngLat[][] {
  switch (type) {
    case 'FeatureCollection':
      return (features ?? []).flatMap(collectRings);
    case 'Feature':
      return geometry ? collectRings(geometry) : [];
    case 'GeometryCollection':
      return (geometries ?? []).flatMap(collectRings);
    case 'Polygon':
      return coordinates as LngLat[][];
    case 'MultiPolygon':
      return (coordinates as LngLat[][][]).flat();
    default:
      return [];
  }
}

/** Rings inside the box without detail below the tolerance, in degrees, the longest first. */
export const landIn = (rings: readonly LngLat[][], box: Box, tolerance: number): LngLat[][] =>
  rings
    .map((ring) => simplifyRing(clipRing(ring, box), tolerance).map(roundPoint))
    .filter(({ length }) => length >= 4)
    .sort((a, b) => b.length - a.length);

/** Five decimals are about a metre. */
const roundPoint = ([lng, lat]: LngLat): LngLat => [Number(lng.toFixed(5)), Number(lat.toFixed(5))];
