// A map of points, drawn as SVG from their coordinates: north is up, with the same scale in both directions.
import { type Html, html } from './html.ts';
import { type Box, labelPlaces, type Point, spread } from './map-labels.ts';

export interface Spot {
  address: string;
  name: string;
  lat: number;
  lng: number;
  /** Shown on hover and read by screen readers. */
  about: string;
  kind: string;
}

const WIDTH = 480;
const SIDE = 70;
const TOP = 34;
const BOTTOM = 44;
const RADIUS = 7;
/** Estimated width of a letter at the size shown on a phone, in px. */
const LETTER = 7;
const KM_IN_DEGREE = 111.2;
const SCALE_KM = 2;

/** Positions of dots and labels. They depend only on names and coordinates, so they can be computed once. */
export interface Layout {
  height: number;
  /** Length of the scale bar, in px. */
  scale: number;
  places: { place: Point; dot: Point; label: Box }[];
}

export function layoutOf(spots: readonly Pick<Spot, 'name' | 'lat' | 'lng'>[]): Layout {
  const { points, height, perDegree } = projected(spots);
  const dots = spread(points, 2 * RADIUS + 5);
  const widths = spots.map(({ name }) => [...name].length * LETTER);
  const labels = labelPlaces(dots, widths, RADIUS, { width: WIDTH, height: height - 18 });
  return {
    height,
    scale: (perDegree / KM_IN_DEGREE) * SCALE_KM,
    places: points.map((place, at) => ({ place, dot: dots[at] as Point, label: labels[at] as Box })),
  };
}

/** The spots must be in the order of the layout. */
export function spotMap(
  id: string,
  title: string,
  about: string,
  { height, scale, places }: Layout,
  spots: readonly Spot[],
): Html {
  return html`
<svg class="map" viewBox="0 0 ${WIDTH} ${height}" role="group" aria-labelledby="${id}-title ${id}-about"><title id="${id}-title">${title}</title><desc id="${id}-about">${about}</desc>
<g class="leaders" aria-hidden="true">${places.map(({ place, dot, label }) => [leader(place, dot), labelLeader(dot, label)])}<path class="scale" d="M${px(WIDTH - 16 - scale)} ${height - 14}v4h${px(scale)}v-4"/><text class="scale" x="${px(WIDTH - 16 - scale / 2)}" y="${height - 16}" text-anchor="middle">${SCALE_KM} km</text></g>
${places.map(({ dot, label }, at) => drawnSpot(spots[at] as Spot, dot, label))}</svg>`;
}

const px = (n: number): number => Math.round(n * 10) / 10;

const leader = (from: Point, to: Point): Html | null =>
  Math.hypot(from.x - to.x, from.y - to.y) < 1
    ? null
    : html`<line x1="${px(from.x)}" y1="${px(from.y)}" x2="${px(to.x)}" y2="${px(to.y)}"/>`;

/** A line from a dot to its label, where the label is not next to it. */
function labelLeader(dot: Point, { x, y, width, height }: Box): Html | null {
  const near = { x: Math.min(x + width, Math.max(x, dot.x)), y: Math.min(y + height, Math.max(y, dot.y)) };
  return Math.hypot(near.x - dot.x, near.y - dot.y) > RADIUS + 7 ? leader(dot, near) : null;
}

function drawnSpot({ address, name, about, kind }: Spot, dot: Point, label: Box): Html {
  const middle = label.x + label.width / 2;
  const [anchor, x] =
    label.x > dot.x
      ? ['start', label.x]
      : label.x + label.width < dot.x
        ? ['end', label.x + label.width]
        : ['middle', middle];
  return html`<a href="${address}" class="spot ${kind}"><title>${name}: ${about}</title><circle class="halo" cx="${px(dot.x)}" cy="${px(dot.y)}" r="${RADIUS + 3.5}"/><circle class="spot" cx="${px(dot.x)}" cy="${px(dot.y)}" r="${RADIUS}"/><text x="${px(x)}" y="${px(label.y + label.height / 2 + 4)}" text-anchor="${anchor}">${name}</text></a>\n`;
}

function projected(spots: readonly Pick<Spot, 'lat' | 'lng'>[]): {
  points: Point[];
  height: number;
  perDegree: number;
} {
  const lats = spots.map(({ lat }) => lat);
  const lngs = spots.map(({ lng }) => lng);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const west = Math.min(...lngs);
  const narrowing = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const wide = (Math.max(...lngs) - west) * narrowing;
  // The longer side fits the width, so that the map is never taller than wide.
  const perDegree = (WIDTH - 2 * SIDE) / Math.max(wide, north - south, 1e-6);
  return {
    points: spots.map(({ lat, lng }) => ({
      x: SIDE + (lng - west) * narrowing * perDegree,
      y: TOP + (north - lat) * perDegree,
    })),
    height: Math.round((north - south) * perDegree + TOP + BOTTOM),
    perDegree,
  };
}
