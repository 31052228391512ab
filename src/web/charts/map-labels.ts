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
const ROUNDS = 200;
/** How much nearer than asked for dots may stay. */
const TOLERANCE = 0.5;

/** Estimated widths of letters at that size, in a font that runs wide; the script measures those of the reader's font. */
const letterWidths: readonly [letters: RegExp, width: number][] = [
  [/[fijlrtI'’ .,-]/, 4.4],
  [/[mwMW\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u, 12.7],
  [/\p{Lu}/u, 9],
];
const OTHER_LETTER = 7.7;

export const textWidth = (text: string): number =>
  [...text].reduce(
    (sum, letter) => sum + (letterWidths.find(([letters]) => letters.test(letter))?.[1] ?? OTHER_LETTER),
    0,
  );

/**
 * Moves dots that are nearer than `minDistance` away from each other, a little in each round, until none is; all stay
 * inside of an area. `map-marks.js` does the same at every zoom.
 */
export function spread(points: readonly Point[], minDistance: number, within: Box): Point[] {
  const dots = points.map((point) => ({ ...point }));
  const clamp = (dot: Point) => {
    dot.x = Math.min(within.x + within.width, Math.max(within.x, dot.x));
    dot.y = Math.min(within.y + within.height, Math.max(within.y, dot.y));
  };
  dots.forEach(clamp);
  for (let round = 0, moved = true; moved && round < ROUNDS; round++) {
    moved = false;
    for (const [i, a] of dots.entries()) {
      for (let j = i + 1; j < dots.length; j++) {
        const b = dots[j] as (typeof dots)[number];
        // Most pairs are far apart: nothing else is computed of them.
        if (Math.abs(a.x - b.x) >= minDistance || Math.abs(a.y - b.y) >= minDistance) continue;
        const distance = distanceOf(a, b);
        if (distance >= minDistance - TOLERANCE) continue;
        moved = true;
        const shift = (minDistance - distance) / 2;
        // Dots in one place part in directions of their own: along one line they would have to pass through each other.
        const [ux, uy] =
          distance > 0 ? [(b.x - a.x) / distance, (b.y - a.y) / distance] : [Math.cos(j), Math.sin(j)];
        a.x -= ux * shift;
        a.y -= uy * shift;
        b.x += ux * shift;
        b.y += uy * shift;
        clamp(a);
        clamp(b);
      }
    }
  }
  return dots;
}

interface Candidate {
  box: Box;
  /** Points of the line from the dot to the label; none where the label is next to it. */
  line: Point[];
  distance: number;
}

/** Labels farther than this from their dot get a line to it. */
export const NEAR = 6;

/**
 * Puts labels at free places near the first of the dots, one for each width. Null where no place is free: no label covers
 * another, a dot or the line from a dot to its origin, and no line to a label crosses one. Several orders are tried until
 * all labels are next to their dots; else the one with most and nearest labels is taken.
 */
export function labelPlaces(
  dots: readonly Point[],
  widths: readonly number[],
  radius: number,
  within: { width: number; height: number },
  reserved: readonly Box[] = [],
  origins: readonly Point[] = [],
): (Box | null)[] {
  const marks = dots.map(({ x, y }) => ({
    x: x - radius,
    y: y - radius,
    width: 2 * radius,
    height: 2 * radius,
  }));
  const taken = [...marks, ...reserved];
  const shifts = origins.map((origin, at) => pointsBetween(origin, dots[at] ?? origin));
  const candidates = widths.map((width, at) =>
    candidatesOf(dots[at] as Point, width, radius).filter(
      ({ box, line }) =>
        inside(box, within) &&
        !taken.some((other) => overlap(box, other)) &&
        !marks.some((other, of) => of !== at && touches(other, line)) &&
        !shifts.some((shift) => touches(box, shift)),
    ),
  );
  let best = placeInOrder(orderOf(candidates, 0), candidates);
  for (let seed = 1; seed < TRIES && best.far > 0; seed++) {
    const other = placeInOrder(orderOf(candidates, seed), candidates);
    if (other.cost < best.cost) best = other;
  }
  return best.labels;
}

const TRIES = 24;
/** What a missing label costs, as a distance. */
const MISSING = 40;

/** First those with the fewest places, then shuffled by a linear congruential generator, the same for everybody. */
function orderOf(candidates: readonly Candidate[][], seed: number): number[] {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const keys = candidates.map(({ length }) => length * (seed === 0 ? 1 : next()));
  return keys.map((_, at) => at).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
}

function placeInOrder(
  order: readonly number[],
  candidates: readonly Candidate[][],
): { labels: (Box | null)[]; cost: number; far: number } {
  const labels: (Box | null)[] = candidates.map(() => null);
  const taken: Candidate[] = [];
  let [cost, far] = [0, 0];
  for (const at of order) {
    const free = candidates[at]?.find((one) => !taken.some((other) => conflict(one, other)));
    cost += free ? free.distance : MISSING;
    if (!free || free.distance > NEAR) far += 1;
    if (!free) continue;
    labels[at] = free.box;
    taken.push(free);
  }
  return { labels, cost, far };
}

const conflict = (a: Candidate, b: Candidate): boolean =>
  overlap(a.box, b.box) || touches(a.box, b.line) || touches(b.box, a.line);

const distanceOf = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Places around a dot: right and left first, then above and below, then farther away. */
function candidatesOf(dot: Point, width: number, radius: number): Candidate[] {
  return REACHES.flatMap((farther) =>
    ANGLES.map((angle) => {
      const reach = radius + 1.5 + farther;
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      // Beside the dot the near edge is aligned to it; above and below, the middle.
      const left = Math.abs(dx) < 0.3 ? -width / 2 : dx > 0 ? 0 : -width;
      const box = {
        x: dot.x + dx * reach + left,
        y: dot.y + dy * (reach + LINE / 2) - LINE / 2,
        width,
        height: LINE,
      };
      const distance = distanceOf(dot, nearest(dot, box)) - radius;
      return { box, line: distance <= NEAR ? [] : pointsBetween(dot, nearest(dot, box)), distance };
    }),
  );
}

const REACHES = [0, 3, 6, 10, 14, 18, 23, 28];
/** In steps of 15 degrees: right, left, above, below, then between them. */
const ANGLES = [0, 12, 18, 6, 1, 23, 11, 13, 2, 22, 10, 14, 3, 21, 9, 15, 4, 20, 8, 16, 5, 19, 7, 17].map(
  (step) => (step * Math.PI) / 12,
);

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
