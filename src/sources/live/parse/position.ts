// Positions as feeds give them, and which of a city's points they are near.
import { METRES_A_DEGREE, metresBetween, type Position } from '../../../domain/city/distance.ts';
import { numberOf } from './json.ts';

/** A place further than this from all points of a city does not belong to it. */
const FAR_M = 500_000;

export interface ReadPosition {
  /** Null where the feed gives none that is possible. */
  position: Position | null;
  /** To be counted as `bad_position`: absent, impossible, or swapped and put right. */
  fault: boolean;
}

/**
 * A position of numbers or numeric texts. Latitude and longitude are taken for swapped where only the other order is
 * possible, or where only the other order is anywhere near the city.
 */
export function readPosition(lat: unknown, lng: unknown, city: readonly Position[]): ReadPosition {
  const a = numberOf(lat);
  const b = numberOf(lng);
  if (typeof a === 'string' || typeof b === 'string') return { position: null, fault: true };
  const given = possible(a, b);
  if (given && isNear(given, city)) return { position: given, fault: false };
  const swapped = possible(b, a);
  if (swapped && isNear(swapped, city)) return { position: swapped, fault: true };
  return { position: given, fault: given === null };
}

/** 0, 0 lies in the sea and stands for "not known". */
function possible(lat: number, lng: number): Position | null {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0) ? { lat, lng } : null;
}

function isNear(position: Position, city: readonly Position[]): boolean {
  return city.length === 0 || city.some((point) => metresBetween(position, point) <= FAR_M);
}

/** Finds the points within `reach_m` of a position. Vehicles are many, so points are searched by latitude. */
export function pointsWithin<P extends Position>(
  points: readonly P[],
  reach_m: number,
): (position: Position) => P[] {
  const sorted = points.toSorted((a, b) => a.lat - b.lat);
  const span = reach_m / METRES_A_DEGREE;
  return (position) => {
    const found: P[] = [];
    for (let i = firstFrom(sorted, position.lat - span); i < sorted.length; i++) {
      const point = sorted[i];
      if (!point || point.lat > position.lat + span) break;
      if (metresBetween(point, position) <= reach_m) found.push(point);
    }
    return found;
  };
}

/** Index of the first point at or north of a latitude. */
function firstFrom(sorted: readonly Position[], lat: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.lat ?? 0) < lat) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Reports for every point how many of the positions are within its reach; positions that are not known count nowhere. */
export function countNear<P extends Position>(
  positions: readonly (Position | null)[],
  points: readonly P[],
  reach_m: number,
  report: (point: P, count: number) => void,
): void {
  const near = pointsWithin(points, reach_m);
  const counts = new Map(points.map((point) => [point, 0]));
  for (const position of positions)
    if (position) for (const point of near(position)) counts.set(point, (counts.get(point) ?? 0) + 1);
  for (const [point, count] of counts) report(point, count);
}
