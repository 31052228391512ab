// The outline of the land around a city's pockets, which the map draws behind them, and the geometry that it needs.
// Lengths are in degrees; a degree of longitude counts by its width at the latitude of the pockets.

/** Longitude, then latitude, as in GeoJSON. */
export type LngLat = [lng: number, lat: number];
export type Box = [west: number, south: number, east: number, north: number];

export interface Outline {
  /** Where the data comes from. `attribution` is shown under the map as it stands here. */
  source: { name: string; attribution: string; url: string };
  licence: { name: string; url: string };
  /** The area that the outline describes: what is in it and not land is water, what is outside of it is not known. */
  box: Box;
  /** Closed rings, filled by the even-odd rule: a ring inside another is a lake. */
  land: LngLat[][];
}

/** The side of the smallest area that a map shows. */
export const LEAST_SIDE = 0.03;

/** Enough for the shape of a coast at the size of a page; more would make every visit heavier. */
export const MAX_OUTLINE_POINTS = 2000;

export const narrowingAt = (lat: number): number => Math.cos((lat * Math.PI) / 180);

export interface Extent {
  box: Box;
  /** Width of a degree of longitude, in degrees of latitude. */
  narrowing: number;
  /** The longer side of the box, at least `LEAST_SIDE`. */
  side: number;
}

export function extentAround(points: readonly { lat: number; lng: number }[]): Extent {
  let [west, south, east, north]: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { lat, lng } of points) {
    [west, east] = [Math.min(west, lng), Math.max(east, lng)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  const narrowing = narrowingAt((south + north) / 2);
  const side = Math.max((east - west) * narrowing, north - south, LEAST_SIDE);
  return { box: [west, south, east, north], narrowing, side };
}

/** The area that an outline of these pockets has to describe: a map of any of them shows no more. */
export function outlineBox(pockets: readonly { lat: number; lng: number }[]): Box {
  const { box, narrowing, side } = extentAround(pockets);
  const [west, south, east, north] = box;
  const round = (degrees: number) => Math.round(degrees * 1000) / 1000;
  return [
    round(west - side / narrowing),
    round(south - side),
    round(east + side / narrowing),
    round(north + side),
  ];
}

export const contains = ([west, south, east, north]: Box, inner: Box): boolean =>
  west <= inner[0] && south <= inner[1] && east >= inner[2] && north >= inner[3];

/**
 * The part of a closed ring inside a box, closed again along its edges; empty where none of it is (Sutherland and
 * Hodgman, 1974).
 */
export function clipRing(ring: readonly LngLat[], [west, south, east, north]: Box): LngLat[] {
  const open = ring.slice(0, -1);
  const inside = [
    clipSide(0, west, 1),
    clipSide(0, east, -1),
    clipSide(1, south, 1),
    clipSide(1, north, -1),
  ].reduce((points, clip) => clip(points), open);
  const [first] = inside;
  return first && inside.length >= 3 ? [...inside, first] : [];
}

/** Keeps what lies on one side of a line of constant longitude (axis 0) or latitude (axis 1). */
const clipSide =
  (axis: 0 | 1, limit: number, sign: 1 | -1) =>
  (points: readonly LngLat[]): LngLat[] => {
    const isIn = (point: LngLat) => sign * (point[axis] - limit) >= 0;
    return points.flatMap((point, at) => {
      const before = points.at(at - 1) ?? point;
      const crossing = isIn(before) === isIn(point) ? [] : [pointAt(before, point, axis, limit)];
      return isIn(point) ? [...crossing, point] : crossing;
    });
  };

/** Where the line between two points meets a longitude or latitude. */
function pointAt(a: LngLat, b: LngLat, axis: 0 | 1, limit: number): LngLat {
  const share = (limit - a[axis]) / (b[axis] - a[axis]);
  const other = (of: 0 | 1) => a[of] + share * (b[of] - a[of]);
  return axis === 0 ? [limit, other(1)] : [other(0), limit];
}
