// Which of a city's points the positions of a feed are near.
import { METRES_A_DEGREE, metresBetween, type Position } from '../../../domain/city/distance.ts';

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
