// Positions as feeds give them. Swapped ones are put right; impossible ones are dropped.
import { metresBetween, type Position } from '../../../domain/city/distance.ts';
import { parseNumber } from './number.ts';

export interface ReadPosition {
  /** Null where the feed gives none that is possible. */
  position: Position | null;
  /** To be counted as `bad_position`: absent, impossible, or swapped and put right. */
  fault: boolean;
}

/**
 * The two values were swapped if the point lies so far from every pocket, and so near to one when they are exchanged.
 * Nearer than the first may be a true place of a feed of the whole country: Cairo lies 170 km from where its own
 * exchanged coordinates are, Abuja 250. Beyond the second a place is out of reach of every pocket either way.
 */
const FAR_M = 500_000;
const NEAR_M = 100_000;

/** `city` are the centres of its pockets. Where neither order is near them the position is as the feed says. */
export function readPosition(lat: unknown, lng: unknown, city: readonly Position[]): ReadPosition {
  const [a, b] = [parseNumber(lat), parseNumber(lng)];
  if (typeof a === 'string' || typeof b === 'string') return { position: null, fault: true };
  return judgePosition(a, b, city);
}

/** Of a row that was read: that it has no position was counted then, where it is a fault. */
export const rowPosition = (
  { lat, lng }: { lat: number | null; lng: number | null },
  city: readonly Position[],
): ReadPosition =>
  lat === null || lng === null ? { position: null, fault: false } : judgePosition(lat, lng, city);

function judgePosition(lat: number, lng: number, city: readonly Position[]): ReadPosition {
  const given = possible(lat, lng);
  const turned = possible(lng, lat);
  if (!given) return { position: turned, fault: true };
  const within = (position: Position, metres: number) =>
    city.some((point) => metresBetween(position, point) <= metres);
  return turned && !within(given, FAR_M) && within(turned, NEAR_M)
    ? { position: turned, fault: true }
    : { position: given, fault: false };
}

/** 0, 0 lies in the Atlantic and is what feeds write for a place that they do not know. */
function possible(lat: number, lng: number): Position | null {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0) ? { lat, lng } : null;
}

/** Latitude and longitude from a list, a text with two numbers, a GeoJSON point, or a feature of one. */
export function splitCoordinates(raw: unknown, order: 'lng,lat' | 'lat,lng'): [unknown, unknown] {
  const pair = coordinatePair(raw);
  return order === 'lng,lat' ? [pair[1], pair[0]] : pair;
}

function coordinatePair(raw: unknown): [unknown, unknown] {
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
