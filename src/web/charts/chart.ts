// Charts as SVG, pure functions of their figures. Colours are CSS classes; every chart comes with a table.
import { type Html, html, type Piece } from '../parts/html.ts';
import { type Columns, type Row, table } from '../parts/table.ts';

const WIDTH = 480;
const HEIGHT = 266;
/** Room for labels of 11 px on a phone, where the chart is drawn at six tenths of this size. */
const MARGIN = { left: 58, right: 24, top: 14, bottom: 34 };

interface Tick {
  at: number;
  label: string;
}

interface Axis {
  from: number;
  to: number;
  ticks: readonly Tick[];
}

interface ChartText {
  id: string;
  title: string;
  /** What the chart shows, in a sentence. */
  about: string;
  /** The same figures as a table. */
  columns: Columns;
  rows: readonly { at: number; cells: readonly Piece[] }[];
}

export interface Line {
  name: string;
  kind: string;
  /** A null is drawn as a gap, never interpolated. */
  points: readonly (readonly [x: number, y: number | null])[];
  dots?: boolean;
}

interface Band {
  name: string;
  points: readonly (readonly [x: number, low: number, high: number])[];
}

interface LineChart extends ChartText {
  x: Axis;
  y: Axis;
  lines: readonly Line[];
  band?: Band | undefined;
  /** Vertical lines, such as the current time. */
  rules?: readonly Tick[];
}

/** Two decimals are finer than any screen resolution. */
const px = (n: number): number => Math.round(n * 100) / 100;

const linearScale = ({ from, to }: Pick<Axis, 'from' | 'to'>, low: number, high: number) => {
  const unit = (high - low) / (to - from || 1);
  return (value: number): number => px(low + (value - from) * unit);
};

export const xScale = (axis: Pick<Axis, 'from' | 'to'>) =>
  linearScale(axis, MARGIN.left, WIDTH - MARGIN.right);
const yScale = (axis: Pick<Axis, 'from' | 'to'>) => linearScale(axis, HEIGHT - MARGIN.bottom, MARGIN.top);

export function lineChart({ x, y, lines, band, rules = [], ...text }: LineChart): Html {
  const xAt = xScale(x);
  const yAt = yScale(y);
  const drawn = html`
${grid(y, yAt)}${xLabels(x, xAt)}
${rules.map(({ at, label }) => html`<line class="rule" x1="${xAt(at)}" x2="${xAt(at)}" y1="${MARGIN.top}" y2="${HEIGHT - MARGIN.bottom}"/><text class="rule" x="${xAt(at) - 5}" y="${MARGIN.top + 9}" text-anchor="end">${label}</text>`)}
${band && band.points.length > 1 ? html`<path class="band" d="${bandPath(band.points, xAt, yAt)}"/>` : null}
${lines.map((line) => html`<path class="line ${line.kind}" d="${linePath(line.points, xAt, yAt)}"/>${line.dots ? lineDots(line, xAt, yAt) : null}`)}`;
  const keys = [
    ...lines.map(({ name, kind }) => html`<span class="key ${kind}">${name}</span>`),
    ...(band ? [html`<span class="key band">${band.name}</span>`] : []),
  ];
  return figure(text, drawn, xAt, keys);
}

function linePath(points: Line['points'], xAt: (x: number) => number, yAt: (y: number) => number): string {
  let pen = 'M';
  let path = '';
  for (const [x, y] of points) {
    if (y === null) pen = 'M';
    else {
      path += `${pen}${xAt(x)} ${yAt(y)}`;
      pen = 'L';
    }
  }
  return path;
}

function bandPath(points: Band['points'], xAt: (x: number) => number, yAt: (y: number) => number): string {
  const over = points.map(([x, , high]) => `${xAt(x)} ${yAt(high)}`);
  const under = points.toReversed().map(([x, low]) => `${xAt(x)} ${yAt(low)}`);
  return `M${[...over, ...under].join('L')}Z`;
}

const lineDots = ({ kind, points }: Line, xAt: (x: number) => number, yAt: (y: number) => number): Html[] =>
  points.flatMap(([x, y]) =>
    y === null ? [] : [html`<circle class="dot ${kind}" cx="${xAt(x)}" cy="${yAt(y)}" r="3.5"/>`],
  );

const grid = ({ ticks }: Axis, yAt: (y: number) => number): Html[] =>
  ticks.map(
    ({ at, label }) =>
      html`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${yAt(at)}" y2="${yAt(at)}"/><text x="${MARGIN.left - 6}" y="${yAt(at)}" dy=".35em" text-anchor="end">${label}</text>`,
  );

const xLabels = ({ ticks }: Axis, xAt: (x: number) => number): Html[] =>
  ticks.map(
    ({ at, label }) => html`<text x="${xAt(at)}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>`,
  );

/** The distance between two ticks: 1, 2 or 5 times a power of ten, so that an axis has about four of them. */
export function niceStep(most: number): number {
  const rough = most / 4;
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].find((times) => times * unit >= rough) ?? 10;
  return Math.max(1, step * unit);
}

interface BarChart extends ChartText {
  y: Axis;
  kind: string;
  /** From left to right; some have a label below. */
  bars: readonly { value: number | null; label?: string | undefined }[];
}

export function barChart({ y, kind, bars, ...text }: BarChart): Html {
  const xAt = xScale({ from: -0.5, to: bars.length - 0.5 });
  const yAt = yScale(y);
  const width = px(Math.min(28, (0.7 * (WIDTH - MARGIN.left - MARGIN.right)) / Math.max(1, bars.length)));
  const ticks = bars.flatMap(({ label }, at) => (label === undefined ? [] : [{ at, label }]));
  const drawn = html`
${grid(y, yAt)}${xLabels({ from: 0, to: 0, ticks }, xAt)}
${bars.map(({ value }, at) =>
  value === null
    ? null
    : html`<rect class="column ${kind}" x="${px(xAt(at) - width / 2)}" y="${yAt(value)}" width="${width}" height="${px(yAt(y.from) - yAt(value))}"/>`,
)}`;
  return figure(text, drawn, xAt, []);
}

interface CalibrationChart extends ChartText {
  /** The least that can be stated; 0.6 where it is left out. */
  from?: number;
  points: readonly { said: number; observed: number; n: number }[];
}

/** How often forecasts came true (y) over what they stated (x); on the diagonal the two agree. */
export function calibrationChart({ points, from = 0.6, ...text }: CalibrationChart): Html {
  const step = (1 - from) / 4;
  const axis = {
    from,
    to: 1,
    ticks: Array.from({ length: 5 }, (_, i) => from + i * step).map((at) => ({
      at,
      label: `${Math.round(100 * at)}\u00a0%`,
    })),
  };
  const xAt = xScale(axis);
  const low = Math.min(from, ...points.map(({ observed }) => Math.floor(10 * observed) / 10));
  const y = {
    from: low,
    to: 1,
    ticks: Array.from({ length: Math.round((1 - low) * 10) + 1 }, (_, i) => ({
      at: low + i / 10,
      label: `${Math.round(100 * low + 10 * i)}\u00a0%`,
    })).filter((_, i, all) => all.length < 8 || i % 2 === 0),
  };
  const yAt = yScale(y);
  const most = Math.max(1, ...points.map(({ n }) => n));
  const drawn = html`
${grid(y, yAt)}${xLabels(axis, xAt)}
<line class="slant" x1="${xAt(Math.max(from, low))}" y1="${yAt(Math.max(from, low))}" x2="${xAt(1)}" y2="${yAt(1)}"/>
<path class="line calm" d="${linePath(
    points.map(({ said, observed }) => [said, observed]),
    xAt,
    yAt,
  )}"/>
${points.map(({ said, observed, n }) => html`<circle class="dot calm" cx="${xAt(said)}" cy="${yAt(observed)}" r="${px(3 + 6 * Math.sqrt(n / most))}"/>`)}`;
  return figure(text, drawn, xAt, [
    html`<span class="key calm">observed, the larger the dot the more forecasts</span>`,
    html`<span class="key slant">as often as said</span>`,
  ]);
}

/** Shows the figures at the pointer (page.js). In the page from the start, so that nothing moves when the script runs. */
export const readout: Html = html`<p class="readout scripted" role="status">Tap or point at the chart to read it.</p>`;

/** A chart with its keys, its description and its figures as a table, by which a script reads it at the pointer. */
export function figure(
  { id, title, about, columns, rows }: ChartText,
  drawn: Html,
  xAt: (x: number) => number,
  keys: readonly Html[],
): Html {
  const placed: Row[] = rows.map(({ at, cells }) => ({ x: xAt(at), cells }));
  return html`
<figure class="chart">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-about"><title id="${id}-title">${title}</title><desc id="${id}-about">${about}</desc>${drawn}<line class="cursor" x1="0" x2="0" y1="${MARGIN.top}" y2="${HEIGHT - MARGIN.bottom}"/></svg>
${readout}
<figcaption>${keys.length ? html`<p class="keys">${keys}</p>` : null}<p>${about}</p></figcaption>
<details><summary>Show the figures as a table</summary>${table(title, columns, placed)}</details>
</figure>`;
}
