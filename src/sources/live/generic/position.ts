// Positions as feeds give them: two values, a list in either order, a text, a GeoJSON point or a feature of
// one. Swapped ones are put right; impossible ones are dropped.
import { metresBetween, type Position } from '../../../domain/city/distance.ts';
import { readNumber } from './number.ts';

export interface PositionReading {
  position: Position | null;
  /** No position, an impossible one, or one whose two values were swapped. */
  fault: boolean;
}

/** The two values were swapped if the point lies so far from every pocket, and so near to one when they are not. */
const FAR_KM = 500;
const NEAR_KM = 100;

export function readPosition(raw: readonly [unknown, unknown], points: readonly Position[]): PositionReading {
  const lat = readNumber(raw[0]).value;
  const lng = readNumber(raw[1]).value;
  if (lat === undefined || lng === undefined) return { position: null, fault: true };
  const given = possible(lat, lng);
  const turned = possible(lng, lat);
  if (!given) return { position: turned, fault: true };
  if (
    turned &&
    points.length > 0 &&
    nearestKm(given, points) > FAR_KM &&
    nearestKm(turned, points) <= NEAR_KM
  )
    return { position: turned, fault: true };
  return { position: given, fault: false };
}

/** Latitude and longitude from a list, a text with two numbers, a GeoJSON point, or a feature of one. */
export function splitCoordinates(raw: unknown, order: 'lng,lat' | 'lat,lng'): [unknown, unknown] {
  const pair = pairOf(raw);
  return order === 'lng,lat' ? [pair[1], pair[0]] : pair;
}

function pairOf(raw: unknown): [unknown, unknown] {
  if (typeof raw === 'string') {
    const numbers = raw.slice(0, 200).match(/[+-]?\d+(?:\.\d+)?/g) ?? [];
    return numbers.length === 2 || numbers.length === 3 ? [numbers[0], numbers[1]] : [null, null];
  }
  if (Array.isArray(raw)) return [raw[0], raw[1]];
  if (typeof raw !== 'object' || raw === null) return [null, null];
  const point = 'geometry' in raw && typeof raw.geometry === 'object' && raw.geometry ? raw.geometry : raw;
  if ('coordinates' in point && Array.isArray(point.coordinates))
    return [point.coordinates[0], point.coordinates[1]];
  return [null, null];
}

/** 0, 0 lies in the Atlantic and is what feeds write for a place that they do not know. */
function possible(lat: number, lng: number): Position | null {
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0)) return null;
  return { lat, lng };
}

/** Kilometres to the nearest of the points. */
export const nearestKm = (position: Position, points: readonly Position[]): number =>
  Math.min(...points.map((point) => metresBetween(position, point))) / 1000;
