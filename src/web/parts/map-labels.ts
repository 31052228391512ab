// Places dots and their labels on a map so that none covers another. Lengths are in px.

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** Height of a label, at the size shown on a phone. */
const LINE = 15;
const ROUNDS = 60;

/** Moves dots that are nearer than `minDistance` away from each other, a little in each round. */
export function spread(points: readonly Point[], minDistance: number): Point[] {
  const dots = points.map((point) => ({ ...point }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, a] of dots.entries()) {
      for (let j = i + 1; j < dots.length; j++) {
        const b = dots[j] as (typeof dots)[number];
        // Most pairs are far apart: nothing else is computed of them.
        if (Math.abs(a.x - b.x) >= minDistance || Math.abs(a.y - b.y) >= minDistance) continue;
        const distance = distanceOf(a, b);
        const shift = (minDistance - distance) / 2;
        if (shift <= 0) continue;
        const [ux, uy] = distance > 0 ? [(b.x - a.x) / distance, (b.y - a.y) / distance] : [1, 0];
        a.x -= ux * shift;
        a.y -= uy * shift;
        b.x += ux * shift;
        b.y += uy * shift;
      }
    }
  }
  return dots;
}

/**
 * Puts labels at free places near the first of the dots, one for each width. Null where no place is free: no label covers
 * another or a dot, and no line to a label crosses one. Several orders are tried; the one with most labels is taken, and
 * of these the one whose labels are nearest.
 */
export function labelPlaces(
  dots: readonly Point[],
  widths: readonly number[],
  radius: number,
  within: { width: number; height: number },
  reserved: readonly Box[] = [],
): (Box | null)[] {
  const neighbours = dots.map((dot) => dots.filter((other) => distanceOf(other, dot) < 60).length);
  const keys: ((at: number) => number)[] = [
    (at) => -(neighbours[at] ?? 0),
    (at) => neighbours[at] ?? 0,
    (at) => dots[at]?.x ?? 0,
    (at) => -(dots[at]?.x ?? 0),
    (at) => dots[at]?.y ?? 0,
    (at) => -(dots[at]?.y ?? 0),
  ];
  const tries = keys.map((key) => {
    const order = widths.map((_, at) => at).sort((a, b) => key(a) - key(b));
    return placeInOrder(order, dots, widths, radius, within, reserved);
  });
  return tries.reduce((best, one) =>
    one.missing < best.missing || (one.missing === best.missing && one.distance < best.distance) ? one : best,
  ).labels;
}

function placeInOrder(
  order: readonly number[],
  dots: readonly Point[],
  widths: readonly number[],
  radius: number,
  within: { width: number; height: number },
  reserved: readonly Box[],
): { labels: (Box | null)[]; missing: number; distance: number } {
  const clearance = radius + 2;
  const marks: Box[] = dots.map(({ x, y }) => ({
    x: x - clearance,
    y: y - clearance,
    width: 2 * clearance,
    height: 2 * clearance,
  }));
  const taken = [...marks, ...reserved];
  const labels: (Box | null)[] = widths.map(() => null);
  /** From dots to their labels. */
  const leaders: Point[][] = [];
  let distance = 0;
  for (const at of order) {
    const dot = dots[at] as Point;
    for (const place of placesAround(dot, widths[at] ?? 0, radius)) {
      if (!inside(place, within) || taken.some((other) => overlap(place, other))) continue;
      const line = pointsBetween(dot, nearest(dot, place));
      if (leaders.some((other) => touches(place, other))) continue;
      if (taken.some((other) => other !== marks[at] && touches(other, line))) continue;
      labels[at] = place;
      taken.push(place);
      leaders.push(line);
      distance += distanceOf(dot, nearest(dot, place));
      break;
    }
  }
  return { labels, missing: labels.filter((label) => label === null).length, distance };
}

const distanceOf = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Candidate places: right and left first, then above and below, then farther away. */
function* placesAround({ x, y }: Point, width: number, radius: number): Generator<Box> {
  for (let reach = radius + 5; reach < radius + 75; reach += 6) {
    for (let step = 0; step < 24; step++) {
      const angle = (step * Math.PI) / 12;
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      // Beside the dot the near edge is aligned to it; above and below, the middle.
      const left =
        Math.abs(dx) < 0.3 ? x + dx * reach - width / 2 : dx > 0 ? x + dx * reach : x + dx * reach - width;
      yield { x: left, y: y + dy * (reach + 3) - LINE / 2, width, height: LINE };
    }
  }
}

const nearest = (dot: Point, { x, y, width, height }: Box): Point => ({
  x: Math.min(x + width, Math.max(x, dot.x)),
  y: Math.min(y + height, Math.max(y, dot.y)),
});

const pointsBetween = (from: Point, to: Point): Point[] =>
  [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1].map((t) => ({
    x: from.x + t * (to.x - from.x),
    y: from.y + t * (to.y - from.y),
  }));

/** Whether a line, given as points, comes within 2 px of a box. */
const touches = ({ x, y, width, height }: Box, line: readonly Point[]): boolean =>
  line.some((at) => at.x > x - 2 && at.x < x + width + 2 && at.y > y - 2 && at.y < y + height + 2);

const inside = ({ x, y, width, height }: Box, within: { width: number; height: number }): boolean =>
  x >= 2 && x + width <= within.width - 2 && y >= 2 && y + height <= within.height - 2;

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
