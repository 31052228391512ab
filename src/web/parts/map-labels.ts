/** Places dots and their labels on a map so that none covers another. */

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

const LINE = 14;
const ROUNDS = 60;

/** Dots nearer than `apart` are moved away from each other, a little at a time. */
export function spread(points: readonly Point[], apart: number): Point[] {
  const dots = points.map((point) => ({ ...point }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, a] of dots.entries()) {
      for (const b of dots.slice(i + 1)) {
        const distance = Math.hypot(b.x - a.x, b.y - a.y);
        const short = (apart - distance) / 2;
        if (short <= 0) continue;
        const [ux, uy] = distance > 0 ? [(b.x - a.x) / distance, (b.y - a.y) / distance] : [1, 0];
        a.x -= ux * short;
        a.y -= uy * short;
        b.x += ux * short;
        b.y += uy * short;
      }
    }
  }
  return dots;
}

/** Puts each label where it fits best near its dot, those with the most neighbours first. */
export function labelPlaces(
  dots: readonly Point[],
  widths: readonly number[],
  radius: number,
  within: { width: number; height: number },
): Box[] {
  const crowd = (dot: Point) => dots.filter((other) => apart(other, dot) < 60).length;
  const order = dots.map((dot, at) => ({ at, crowd: crowd(dot) })).sort((a, b) => b.crowd - a.crowd);
  const round = radius + 3;
  const taken: Box[] = dots.map(({ x, y }) => ({
    x: x - round,
    y: y - round,
    width: 2 * round,
    height: 2 * round,
  }));
  const labels: Box[] = [];
  for (const { at } of order) {
    const dot = dots[at] as Point;
    const free = placesAround(dot, widths[at] ?? 0, radius).filter(
      (place) => inside(place, within) && !taken.some((other) => overlap(place, other)),
    );
    const others = taken.filter((_, i) => i !== at);
    let best = under(dot, widths[at] ?? 0, radius);
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

const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Candidate places: right and left first, then above and below, then farther away. */
function placesAround({ x, y }: Point, width: number, radius: number): Box[] {
  const places: Box[] = [];
  for (let reach = radius + 5; reach < radius + 90; reach += 7) {
    for (let turn = 0; turn < 24; turn++) {
      const angle = (turn * Math.PI) / 12;
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      // Beside the dot the near edge is aligned to it; above and below, the middle.
      const left =
        Math.abs(dx) < 0.3 ? x + dx * reach - width / 2 : dx > 0 ? x + dx * reach : x + dx * reach - width;
      places.push({ x: left, y: y + dy * (reach + 3) - LINE / 2, width, height: LINE });
    }
  }
  return places;
}

const under = ({ x, y }: Point, width: number, radius: number): Box => ({
  x: x - width / 2,
  y: y + radius + 2,
  width,
  height: LINE,
});

const nearest = (dot: Point, { x, y, width, height }: Box): Point => ({
  x: Math.min(x + width, Math.max(x, dot.x)),
  y: Math.min(y + height, Math.max(y, dot.y)),
});

const gap = (dot: Point, box: Box): number => apart(dot, nearest(dot, box));

/** How many boxes the line from a dot to its label crosses. */
function crossings(dot: Point, box: Box, others: readonly Box[]): number {
  const end = nearest(dot, box);
  const steps = [0.25, 0.5, 0.75, 1].map((t) => ({
    x: dot.x + t * (end.x - dot.x),
    y: dot.y + t * (end.y - dot.y),
  }));
  return others.filter((other) => steps.some((step) => apart(step, nearest(step, other)) < 2)).length;
}

const inside = ({ x, y, width, height }: Box, within: { width: number; height: number }): boolean =>
  x >= 2 && x + width <= within.width - 2 && y >= 2 && y + height <= within.height - 2;

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
