// Places marks and their labels on a map so that none covers another. The server calls it for the narrowest phone, the
// browser at every zoom, with the reader's font: assets.ts sends it what this module exports, so all of it is exported,
// pure, and refers to nothing else. Lengths are units of the map before zooming: px on a phone.

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** A mark, given by its middle, and the width of its label. */
export interface Mark extends Point {
  radius: number;
  /** What the mark stands for: a line leads there from a mark that was moved. */
  origin: Point;
  width: number;
  /** Where its label stays if that place is free. */
  kept?: Box | undefined;
}

export interface Place {
  box: Box;
  /** Points of the line from the mark to the label; none where the label is next to it. */
  line: Point[];
  distance: number;
}

export interface Room {
  within: Box;
  /** What else must not be covered. */
  reserved: readonly Box[];
  /** Height of a label. */
  height: number;
  /** How much farther from its mark than next to it a label may stand. */
  reaches: readonly number[];
  /** How many orders are tried. */
  tries: number;
  /** How much nearer to its own mark than to others a label is, so that it is plain whose it is; not asked for if left out. */
  nearerBy?: number | undefined;
}

/** Labels farther than this from their mark get a line to it. */
export const NEAR = 6;
/** In steps of 15 degrees: right, left, above, below, then between them. */
export const DIRECTIONS: readonly number[] = [
  ...[0, 12, 18, 6, 1, 23, 11, 13, 2, 22, 10, 14],
  ...[3, 21, 9, 15, 4, 20, 8, 16, 5, 19, 7, 17],
];

/**
 * Moves points that are nearer than `apart` away from each other, a little in each round, until none is; all stay inside
 * of an area, if there is one.
 */
export function spread(points: readonly Point[], apart: number, within?: Box): Point[] {
  const dots = points.map(({ x, y }) => ({ x, y }));
  const clamp = (dot: Point) => within && Object.assign(dot, nearest(dot, within));
  dots.forEach(clamp);
  for (let round = 0, moved = true; moved && round < 200; round++) {
    moved = false;
    for (const [i, a] of dots.entries()) {
      for (let j = i + 1; j < dots.length; j++) {
        const b = dots[j] as Point;
        // Most pairs are far apart: nothing else is computed of them.
        if (Math.abs(a.x - b.x) >= apart || Math.abs(a.y - b.y) >= apart) continue;
        const distance = Math.hypot(a.x - b.x, a.y - b.y);
        // They may stay a little nearer than asked for.
        if (distance >= apart - 0.5) continue;
        moved = true;
        const shift = (apart - distance) / 2;
        // Points in one place part in directions of their own: along one line they would have to pass through each other.
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

/**
 * Places for the labels of some of the marks. Null where none is free: no label covers another, a mark or the line from a
 * mark to its origin, and no line to a label crosses one. Several orders are tried until all labels are next to their
 * marks; else the one with most and nearest labels is taken.
 */
export function labelPlaces(
  labelled: readonly Mark[],
  marks: readonly Mark[],
  { within, reserved, height, reaches, tries, nearerBy = -Infinity }: Room,
): (Place | null)[] {
  const boxes = [
    ...marks.map((of) => ({ ...markSquare(of), of })),
    ...reserved.map((box) => ({ ...box, of: null })),
  ];
  // Points in the middle of a mark are covered with it.
  const shifts = marks.flatMap((mark) =>
    pointsBetween(mark.origin, mark).filter(
      ({ x, y }) => Math.max(Math.abs(x - mark.x), Math.abs(y - mark.y)) > mark.radius - 2,
    ),
  );
  const kept: Place[] = [];
  /** Gives the place of a box inside an area, if it is free. What lies outside of the area is left out once for all. */
  const freeIn = (area: Box, mark: Mark, nearer: number) => {
    const near = boxes.filter((box) => overlap(area, box));
    // A mark outside of the area may be too near to a label at its edge.
    const by = Math.max(0, NEAR + nearer);
    const { x, y, width, height } = area;
    const around = { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
    const others = boxes.filter((box) => box.of !== mark && overlap(around, box));
    const points = shifts.filter((point) => touches(area, [point]));
    return (box: Box): Place[] => {
      if (!isInside(box, within) || near.some((other) => overlap(box, other))) return [];
      if (touches(box, points)) return [];
      const place = placeAt(mark, box);
      // A label with a line is no nearer to other marks than one without may be, or it would seem to be theirs.
      const least = Math.min(place.distance, NEAR) + nearer;
      const isFree =
        !others.some(
          (other) => touches(other, place.line) || (other.of && edgeDistance(other.of, box) < least),
        ) && !kept.some((one) => conflict(place, one));
      return isFree ? [place] : [];
    };
  };
  for (const mark of labelled) if (mark.kept) kept.push(...freeIn(within, mark, -Infinity)(mark.kept));
  const farthest = Math.max(...reaches);
  const candidates = labelled.map((mark) => {
    const stays = kept.find(({ box }) => box === mark.kept);
    if (stays) return [stays];
    return boxesAround(mark, height, reaches).flatMap(
      freeIn(reachableArea(mark, height, farthest), mark, nearerBy),
    );
  });
  let best = placeInOrder(placingOrder(candidates, 0), candidates);
  for (let seed = 1; seed < tries && best.far > 0; seed++) {
    const other = placeInOrder(placingOrder(candidates, seed), candidates);
    if (other.cost < best.cost) best = other;
  }
  return best.places;
}

/** First those with the fewest places, then shuffled by a linear congruential generator, the same for everybody. */
export function placingOrder(candidates: readonly Place[][], seed: number): number[] {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const keys = candidates.map(({ length }) => length * (seed === 0 ? 1 : next()));
  return keys.map((_, at) => at).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
}

export function placeInOrder(
  order: readonly number[],
  candidates: readonly Place[][],
): { places: (Place | null)[]; cost: number; far: number } {
  const places: (Place | null)[] = candidates.map(() => null);
  const taken: Place[] = [];
  let [cost, far] = [0, 0];
  for (const at of order) {
    const free = candidates[at]?.find((one) => !taken.some((other) => conflict(one, other)));
    // A missing label costs more than the farthest.
    cost += free ? free.distance : 40;
    if (!free || free.distance > NEAR) far += 1;
    if (!free) continue;
    places[at] = free;
    taken.push(free);
  }
  return { places, cost, far };
}

/** Next to a mark first, then farther away. */
export const boxesAround = (mark: Mark, height: number, reaches: readonly number[]): Box[] =>
  reaches.flatMap((farther) => DIRECTIONS.map((direction) => boxBeside(mark, height, direction, farther)));

/** All that places around a mark and the lines to them can touch. */
export function reachableArea({ x, y, radius, width }: Mark, height: number, farthest: number): Box {
  const reach = radius + 3.5 + farthest;
  const [right, down] = [reach + width, reach + height];
  return { x: x - right, y: y - down, width: 2 * right, height: 2 * down };
}

export function boxBeside(
  { x, y, radius, width }: Mark,
  height: number,
  direction: number,
  farther = 0,
): Box {
  const reach = radius + 1.5 + farther;
  const angle = (direction * Math.PI) / 12;
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  // Beside the mark the near edge is aligned to it; above and below, the middle.
  const left = Math.abs(dx) < 0.3 ? -width / 2 : dx > 0 ? 0 : -width;
  return { x: x + dx * reach + left, y: y + dy * (reach + height / 2) - height / 2, width, height };
}

export function placeAt(mark: Mark, box: Box): Place {
  const distance = edgeDistance(mark, box);
  return { box, line: distance <= NEAR ? [] : pointsBetween(mark, nearest(mark, box)), distance };
}

export function edgeDistance(mark: Mark, box: Box): number {
  const { x, y } = nearest(mark, box);
  return Math.hypot(mark.x - x, mark.y - y) - mark.radius;
}

/** From where text is drawn: the side of its mark, so that it keeps its distance in any font. */
export const textAnchor = (
  mark: Point,
  { x, width }: Box,
): [anchor: 'start' | 'middle' | 'end', x: number] =>
  x > mark.x ? ['start', x] : x + width < mark.x ? ['end', x + width] : ['middle', x + width / 2];

export const markSquare = ({ x, y, radius }: Mark): Box => ({
  x: x - radius,
  y: y - radius,
  width: 2 * radius,
  height: 2 * radius,
});

export const nearest = (point: Point, { x, y, width, height }: Box): Point => ({
  x: Math.min(x + width, Math.max(x, point.x)),
  y: Math.min(y + height, Math.max(y, point.y)),
});

export const pointsBetween = (from: Point, to: Point): Point[] =>
  [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1].map((t) => ({
    x: from.x + t * (to.x - from.x),
    y: from.y + t * (to.y - from.y),
  }));

export const conflict = (a: Place, b: Place): boolean =>
  overlap(a.box, b.box) ||
  (b.line.length > 0 && touches(a.box, b.line)) ||
  (a.line.length > 0 && touches(b.box, a.line));

/** Whether a line, given as points, comes within 2 px of a box. */
export const touches = ({ x, y, width, height }: Box, line: readonly Point[]): boolean =>
  line.some((at) => at.x > x - 2 && at.x < x + width + 2 && at.y > y - 2 && at.y < y + height + 2);

export const isInside = (a: Box, b: Box): boolean =>
  a.x >= b.x && a.x + a.width <= b.x + b.width && a.y >= b.y && a.y + a.height <= b.y + b.height;

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
