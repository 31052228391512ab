// Places dots and their labels on a map so that none covers another. Lengths are in px.

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** Height of a label. */
const LINE = 14;
const ROUNDS = 60;

/** Moves dots that are nearer than `minDistance` away from each other, a little in each round. */
export function spread(points: readonly Point[], minDistance: number): Point[] {
  const dots = points.map((point) => ({ ...point }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, a] of dots.entries()) {
      for (const b of dots.slice(i + 1)) {
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

/** Puts each label at the best free place near its dot, starting with the dots that have the most neighbours. */
export function labelPlaces(
  dots: readonly Point[],
  widths: readonly number[],
  radius: number,
  within: { width: number; height: number },
): Box[] {
  const neighbours = (dot: Point) => dots.filter((other) => distanceOf(other, dot) < 60).length;
  const order = dots
    .map((dot, at) => ({ at, neighbours: neighbours(dot) }))
    .sort((a, b) => b.neighbours - a.neighbours);
  const clearance = radius + 3;
  const taken: Box[] = dots.map(({ x, y }) => ({
    x: x - clearance,
    y: y - clearance,
    width: 2 * clearance,
    height: 2 * clearance,
  }));
  const labels: Box[] = [];
  for (const { at } of order) {
    const dot = dots[at] as Point;
    const free = placesAround(dot, widths[at] ?? 0, radius).filter(
      (place) => inside(place, within) && !taken.some((other) => overlap(place, other)),
    );
    const others = taken.filter((_, i) => i !== at);
    let best = belowDot(dot, widths[at] ?? 0, radius);
    let least = Number.POSITIVE_INFINITY;
    for (const place of free) {
      const cost = gap(dot, place) + 12 * crossings(dot, place, others);
      if (cost < least) [best, least] = [place, cost];
    }
    taken.push(best);
    labels[at] = best;
  }
  return labels;
}

const distanceOf = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Candidate places: right and left first, then above and below, then farther away. */
function placesAround({ x, y }: Point, width: number, radius: number): Box[] {
  const places: Box[] = [];
  for (let reach = radius + 5; reach < radius + 90; reach += 7) {
    for (let step = 0; step < 24; step++) {
      const angle = (step * Math.PI) / 12;
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      // Beside the dot the near edge is aligned to it; above and below, the middle.
      const left =
        Math.abs(dx) < 0.3 ? x + dx * reach - width / 2 : dx > 0 ? x + dx * reach : x + dx * reach - width;
      places.push({ x: left, y: y + dy * (reach + 3) - LINE / 2, width, height: LINE });
    }
  }
  return places;
}

const belowDot = ({ x, y }: Point, width: number, radius: number): Box => ({
  x: x - width / 2,
  y: y + radius + 2,
  width,
  height: LINE,
});

const nearest = (dot: Point, { x, y, width, height }: Box): Point => ({
  x: Math.min(x + width, Math.max(x, dot.x)),
  y: Math.min(y + height, Math.max(y, dot.y)),
});

const gap = (dot: Point, box: Box): number => distanceOf(dot, nearest(dot, box));

/** How many boxes the line from a dot to its label crosses. */
function crossings(dot: Point, box: Box, others: readonly Box[]): number {
  const end = nearest(dot, box);
  const steps = [0.25, 0.5, 0.75, 1].map((t) => ({
    x: dot.x + t * (end.x - dot.x),
    y: dot.y + t * (end.y - dot.y),
  }));
  return others.filter((other) => steps.some((step) => distanceOf(step, nearest(step, other)) < 2)).length;
}

const inside = ({ x, y, width, height }: Box, within: { width: number; height: number }): boolean =>
  x >= 2 && x + width <= within.width - 2 && y >= 2 && y + height <= within.height - 2;

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
