import { type LngLat, narrowingAt } from '../../src/domain/city/outline.ts';

/** A closed ring with fewer points, none of the left out ones farther than `tolerance` (Douglas and Peucker, 1973). */
export function simplifyRing(ring: readonly LngLat[], tolerance: number): LngLat[] {
  const [first] = ring;
  if (!first || ring.length < 5) return [...ring];
  const narrowing = narrowingAt(first[1]);
  // A ring has no ends: it is cut at its first point and at the one that is farthest from it.
  const far = indexOfMost(ring, (point) => distance(point, first, first, narrowing));
  const kept = [
    ...simplifyLine(ring.slice(0, far + 1), tolerance, narrowing).slice(0, -1),
    ...simplifyLine(ring.slice(far), tolerance, narrowing),
  ];
  return kept.length < 4 ? [] : kept;
}

function simplifyLine(line: readonly LngLat[], tolerance: number, narrowing: number): LngLat[] {
  const [from, to] = [line[0], line.at(-1)];
  if (!from || !to || line.length < 3) return [...line];
  const far = indexOfMost(line, (point) => distance(point, from, to, narrowing));
  const turn = line[far];
  if (!turn || distance(turn, from, to, narrowing) <= tolerance) return [from, to];
  return [
    ...simplifyLine(line.slice(0, far + 1), tolerance, narrowing).slice(0, -1),
    ...simplifyLine(line.slice(far), tolerance, narrowing),
  ];
}

function indexOfMost<T>(list: readonly T[], of: (item: T) => number): number {
  let [most, best] = [Number.NEGATIVE_INFINITY, 0];
  for (const [at, item] of list.entries()) {
    const value = of(item);
    if (value > most) [most, best] = [value, at];
  }
  return best;
}

/** From a point to the segment between two others. */
function distance(point: LngLat, from: LngLat, to: LngLat, narrowing: number): number {
  const [x, y] = [(to[0] - from[0]) * narrowing, to[1] - from[1]];
  const [px, py] = [(point[0] - from[0]) * narrowing, point[1] - from[1]];
  const length = x * x + y * y;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (px * x + py * y) / length));
  return Math.hypot(px - share * x, py - share * y);
}
