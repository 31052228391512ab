// The land behind the marks of a map, as the path of an SVG.
import { type Box, clipRing, type LngLat, type Outline } from '../../domain/city/outline.ts';
import type { Box as Area, Point } from './label-placement.ts';
import { type Projection, WIDTH } from './map-projection.ts';

export interface Land {
  path: string;
  /** As far as the map can be panned: what lies beyond is not known. */
  bounds: Area;
}

/** Land is drawn a little farther than the map is panned, so that its cut edge is never seen. */
const HIDDEN = 4;

/** Null where the outline does not describe all that the map shows. */
export function drawLand({ box, land }: Outline, projection: Projection): Land | null {
  const { height, toPoint, toPlace } = projection;
  const [west, south, east, north] = box;
  const [corner, end] = [toPoint({ lat: north, lng: west }), toPoint({ lat: south, lng: east })];
  const from = { x: Math.max(corner.x + HIDDEN, -WIDTH), y: Math.max(corner.y + HIDDEN, -height) };
  const to = { x: Math.min(end.x - HIDDEN, 2 * WIDTH), y: Math.min(end.y - HIDDEN, 2 * height) };
  if (from.x > 0 || from.y > 0 || to.x < WIDTH || to.y < height) return null;
  const [drawnWest, drawnNorth] = toPlace({ x: from.x - HIDDEN, y: from.y - HIDDEN });
  const [drawnEast, drawnSouth] = toPlace({ x: to.x + HIDDEN, y: to.y + HIDDEN });
  const drawn: Box = [drawnWest, drawnSouth, drawnEast, drawnNorth];
  return {
    path: land.map((ring) => ringPath(clipRing(ring, drawn), toPoint)).join(''),
    bounds: {
      x: Math.ceil(from.x),
      y: Math.ceil(from.y),
      width: Math.floor(to.x) - Math.ceil(from.x),
      height: Math.floor(to.y) - Math.ceil(from.y),
    },
  };
}

/** In whole px, each point relative to the one before: the shortest text, and finer than what a coast is known to. */
function ringPath(ring: readonly LngLat[], toPoint: Projection['toPoint']): string {
  const points = ring.map(([lng, lat]) => whole(toPoint({ lat, lng })));
  const [first] = points;
  if (!first) return '';
  const steps = points.slice(1, -1).flatMap(({ x, y }, at) => {
    const before = points[at] as Point;
    return x === before.x && y === before.y ? [] : pair(x - before.x, y - before.y);
  });
  return steps.length < 2 ? '' : `M${pair(first.x, first.y)}l${joinNumbers(steps)}z`;
}

const whole = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) });

const pair = (x: number, y: number): string => joinNumbers([String(x), String(y)]);

/** A minus also separates two numbers. */
const joinNumbers = (numbers: readonly string[]): string => numbers.join(' ').replaceAll(' -', '-');
