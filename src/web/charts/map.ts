// A map of points, drawn as SVG over the land around them. Each point is a group at its place whose contents keep their
// size on the screen when map.js zooms: a leader, a mark and a label.
import type { Outline } from '../../domain/city/outline.ts';
import type { Place, PlacesCredit } from '../../domain/city/place.ts';
import { type Html, html } from '../parts/html.ts';
import type { StateKind } from '../parts/place-words.ts';
import { type Place as LabelPlace, labelPlaces, type Point, spread, textAnchor } from './label-placement.ts';
import { drawLand, type Land } from './map-land.ts';
import { placeLines } from './map-places.ts';
import { createProjection, WIDTH } from './map-projection.ts';
import { textWidth } from './text-width.ts';

export interface Spot {
  address: string;
  name: string;
  lat: number;
  lng: number;
  /** Shown on hover and read by screen readers. */
  about: string;
  /** Decides shape and colour. */
  kind: StateKind;
  ringed: boolean;
}

/** Of a mark with its ring. */
const RADIUS = 10;
/** Centres are this far apart, so that each can be hit with a finger (24 CSS px on the narrowest phone). */
const APART = 26;
/** The first spots have a label where there is room; the others show theirs when they are marked. */
const MAX_LABELS = 30;
/** Height of a label. */
const LINE = 15;
const KM_IN_DEGREE = 111.2;

/** Where map.js puts the buttons of the map. */
const tools = { x: WIDTH - 165, y: 0, width: 165, height: 48 };

/** Positions of marks and labels. */
export interface Layout {
  height: number;
  /** The scale bar: what it stands for, and its length. */
  scale: { km: number; length: number };
  places: { place: Point; dot: Point; label: LabelPlace | null }[];
  land: Land | null;
  /** The lines of the listed places (`map-places.ts`). */
  listed: string;
}

export function computeLayout(
  spots: readonly Pick<Spot, 'name' | 'lat' | 'lng'>[],
  outline?: Outline | undefined,
  listed: readonly Place[] = [],
): Layout {
  const projection = createProjection(spots);
  const { height, perDegree } = projection;
  const points = spots.map(projection.toPoint);
  const dots = spread(points, APART, { x: 12, y: 12, width: WIDTH - 24, height: height - 36 });
  const marks = spots.map(({ name }, at) => {
    const origin = points[at] as Point;
    return { ...(dots[at] ?? origin), origin, radius: RADIUS, width: textWidth(name) };
  });
  const labels = labelPlaces(marks.slice(0, MAX_LABELS), marks, {
    within: { x: 2, y: 2, width: WIDTH - 4, height: height - 24 },
    reserved: [tools],
    height: LINE,
    reaches: [0, 3, 6, 10, 14, 18, 23, 28],
    tries: 24,
  });
  const land = outline ? drawLand(outline, projection) : null;
  const perKm = perDegree / KM_IN_DEGREE;
  const km = [20, 10, 5, 2, 1, 0.5, 0.2].find((length) => length * perKm <= WIDTH / 3) ?? 0.1;
  return {
    height,
    scale: { km, length: km * perKm },
    places: points.map((place, at) => ({ place, dot: dots[at] ?? place, label: labels[at] ?? null })),
    land,
    listed: placeLines(listed, spots, projection, land?.bounds ?? { x: 0, y: 0, width: WIDTH, height }),
  };
}

/** The last layouts: marks move only when other pockets are listed, while their states change with every reading. */
const layouts = new Map<string, Layout>();
const MAX_LAYOUTS = 8;

function cachedLayout(
  spots: readonly Spot[],
  outline: Outline | undefined,
  listed: readonly Place[],
): Layout {
  const key = JSON.stringify([
    ...[outline?.box, spots.map(({ name, lat, lng }) => [name, lat, lng])],
    listed.map(({ name, lat, lng }) => [name, lat, lng]),
  ]);
  const layout = layouts.get(key) ?? computeLayout(spots, outline, listed);
  if (!layouts.has(key) && layouts.size >= MAX_LAYOUTS) layouts.clear();
  layouts.set(key, layout);
  return layout;
}

export function spotMap(
  id: string,
  title: string,
  about: string,
  given: readonly Spot[],
  outline?: Outline | undefined,
  known: readonly Place[] = [],
): Html {
  // The first of a long list have labels; a short list has the same map in whatever order.
  const spots =
    given.length > MAX_LABELS ? given : given.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const { height, scale, places, land, listed } = cachedLayout(spots, outline, known);
  const end = WIDTH - 12;
  return html`
<svg class="map${land ? ' coast' : ''}" viewBox="0 0 ${WIDTH} ${height}"${land ? html` data-bounds="${boundsText(land)}"` : null} role="group" aria-labelledby="${id}-title ${id}-about"><title id="${id}-title">${title}</title><desc id="${id}-about">${about}</desc>
${
  land &&
  html`<path class="land" d="${land.path}"/>
`
}${
  listed &&
  html`<g class="listed" aria-hidden="true" data-places="${listed}"></g>
`
}${places.map(({ place, dot, label }, at) => drawSpot(spots[at] as Spot, place, dot, label, spots.length > MAX_LABELS))}<g class="scale" data-km="${scale.km}" aria-hidden="true"><path d="M${px(end - scale.length)} ${height - 13}v4h${px(scale.length)}v-4"/><text x="${px(end - scale.length / 2)}" y="${height - 16}" text-anchor="middle">${scale.km < 1 ? `${1000 * scale.km} m` : `${scale.km} km`}</text></g>
</svg>`;
}

const boundsText = ({ bounds: { x, y, width, height } }: Land): string => [x, y, width, height].join(' ');

const px = (n: number): number => Math.round(n * 10) / 10;

/** Circle, diamond, triangle, square: told apart without colour too. */
export const shapes: Record<StateKind, string> = {
  calm: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0',
  busy: 'M0-7.5L7.5 0 0 7.5-7.5 0z',
  tense: 'M0-6.5L6.5 5h-13z',
  rain: 'M-5.5-5.5h11v11h-11z',
  unread: 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0',
};

/** Coordinates inside the group are relative to the place itself. Of many spots the list tells the rest. */
function drawSpot(
  { address, name, about, kind, ringed }: Spot,
  place: Point,
  dot: Point,
  label: LabelPlace | null,
  many: boolean,
): Html {
  const [x, y] = [px(dot.x - place.x), px(dot.y - place.y)];
  return html`<a href="${address}" class="spot ${kind}" transform="translate(${px(place.x)} ${px(place.y)})"><title>${many ? name : `${name}: ${about}`}</title><g class="pin${label ? '' : ' unnamed'}">${
    Math.hypot(x, y) < 1 ? null : html`<path class="leader" d="M0 0L${x} ${y}"/>`
  }${label && labelLeader(label, place)}<g${x || y ? html` transform="translate(${x} ${y})"` : null}><circle class="hit" r="13"/>${ringed ? html`<circle class="ring" r="9.2"/>` : null}<path class="shape" d="${shapes[kind]}"/></g>${many && !label ? null : labelText(name, dot, label, place)}</g></a>`;
}

/** A label without a free place is drawn above its mark, and shown only while the spot is marked. */
function labelText(name: string, dot: Point, label: LabelPlace | null, place: Point): Html {
  const half = textWidth(name) / 2;
  const above = Math.min(WIDTH - half - 2, Math.max(half + 2, dot.x));
  if (!label)
    return html`<text class="extra" x="${px(above - place.x)}" y="${px(dot.y - place.y - 12)}" text-anchor="middle">${name}</text>`;
  const [anchor, x] = textAnchor(dot, label.box);
  return html`<text x="${px(x - place.x)}" y="${px(label.box.y + LINE / 2 + 4 - place.y)}" text-anchor="${anchor}">${name}</text>`;
}

/** A line from a mark to its label, where the label is not next to it. */
function labelLeader({ line }: LabelPlace, { x, y }: Point): Html | null {
  const [from, to] = [line[0], line.at(-1)];
  if (!from || !to) return null;
  return html`<path class="leader to" d="M${px(from.x - x)} ${px(from.y - y)}L${px(to.x - x)} ${px(to.y - y)}"/>`;
}

/** What the licences of the outline and of the listed places ask for, under the map. */
export const mapCredits = (outline: Outline | undefined, places: PlacesCredit | undefined): Html =>
  html`${outline ? creditLine('Coast', outline) : null}${places ? creditLine('Stations and other places', places) : null}`;

const creditLine = (what: string, { source, licence }: PlacesCredit): Html =>
  html`<p class="credit">${what}: <a href="${source.url}">${source.attribution}</a>, <a href="${licence.url}">${licence.name}</a></p>`;
