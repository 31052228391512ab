// Small charts of what was measured, one below the other over the same hours: rain, temperature, people or the crowd,
// traffic. A city shows those it has. One table holds the figures of all, which keeps the page light.
import { HOUR } from '../../../domain/time/slot.ts';
import type { Zone } from '../../../domain/time/zone.ts';
import { niceStep, readout } from '../../charts/chart.ts';
import { count, fixedDecimals } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { table } from '../../parts/table.ts';
import { hourTicks } from './day-chart.ts';
import type { SignalsAnswer } from './question.ts';
import { clockSpan, sourceLine } from './words.ts';

type Kind = SignalsAnswer['measured'][number];

const signals: Record<Kind, { title: string; about: string; decimals: 0 | 1 | 2 }> = {
  rain_mm: { title: 'Rain, mm', about: 'Rain is the total of each hour, the others are means.', decimals: 1 },
  temperature_c: { title: 'Temperature, °C', about: '', decimals: 1 },
  people: { title: 'People an hour', about: 'Counts of fewer than five people are not shown.', decimals: 0 },
  crowd: {
    title: 'Crowd, share of the usual peak',
    about: 'The crowd is estimated from sensors that do not count people.',
    decimals: 2,
  },
  traffic_speed_kmh: { title: 'Traffic, km/h', about: '', decimals: 1 },
};
const order: readonly Kind[] = ['rain_mm', 'temperature_c', 'people', 'crowd', 'traffic_speed_kmh'];

/** As wide as the other charts, so that their script and style apply. */
const WIDTH = 480;
const HEIGHT = 136;
const MARGIN = { left: 58, right: 24, top: 26, bottom: 30 };

export function signalCharts(answer: SignalsAnswer, address: string, zone: Zone): Html {
  const shown = order.filter((kind) => answer.measured.includes(kind));
  if (!shown.length)
    return answer.kept_from === null
      ? html`<p>Nothing was measured in these hours.</p>`
      : html`<p>Whatever was measured in these hours is no longer kept.</p>`;
  const span = { from: Date.parse(answer.from), to: Date.parse(answer.to) };
  const unit = (WIDTH - MARGIN.left - MARGIN.right) / (span.to - span.from || 1);
  const xAt = (time: number) => px(MARGIN.left + (time - span.from) * unit);
  // The value of an hour stands in its middle; that of the current hour no later than now.
  const hourX = (hour: string) => xAt(Math.min(Date.parse(hour) + HOUR / 2, span.to));
  const ticks = hourTicks(span.from, span.to, zone).map(({ at, label }) => ({ x: xAt(at), label }));
  return html`
<figure class="chart small-charts">
<div>${shown.map((kind) => signalChart(answer, kind, hourX, ticks))}</div>
${readout}
<figcaption><p>${shown.flatMap((kind) => (signals[kind].about ? [`${signals[kind].about} `] : []))}</p></figcaption>
<details><summary>Show the figures as a table</summary>${table(
    'What was measured in each hour',
    ['Hour', ...shown.map((kind) => ({ name: signals[kind].title, figures: true }))],
    answer.hours.map((hour) => ({
      x: hourX(hour.at),
      cells: [zone.localClock(Date.parse(hour.at)), ...shown.map((kind) => figure(hour[kind], kind))],
    })),
  )}</details>
${sourceLine(`Measured ${clockSpan(answer.from, answer.to, zone)} ${zone.generalName}.`, address)}
</figure>`;
}

const figure = (value: number | null, kind: Kind): string =>
  value === null ? 'none' : fixedDecimals(value, signals[kind].decimals);

function signalChart(
  { hours }: SignalsAnswer,
  kind: Kind,
  hourX: (hour: string) => number,
  ticks: readonly { x: number; label: string }[],
): Html {
  const { from, to, step } = signalAxis(
    hours.flatMap((hour) => hour[kind] ?? []),
    kind === 'temperature_c',
  );
  const bottom = HEIGHT - MARGIN.bottom;
  const yAt = (value: number) => px(bottom - ((value - from) / (to - from)) * (bottom - MARGIN.top));
  const levels = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, n) => from + n * step);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${signals[kind].title}">
<text class="title" x="${MARGIN.left}" y="15">${signals[kind].title}</text>
${levels.map((level) => html`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${yAt(level)}" y2="${yAt(level)}"/><text x="${MARGIN.left - 6}" y="${yAt(level)}" dy=".35em" text-anchor="end">${count(Math.round(100 * level) / 100)}</text>`)}
${ticks.map(({ x, label }) => html`<text x="${x}" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>`)}
<path class="line signal" d="${path(hours, kind, hourX, yAt)}"/><line class="cursor" x1="0" x2="0" y1="${MARGIN.top}" y2="${bottom}"/></svg>\n`;
}

/** Two decimals are finer than any screen resolution. */
const px = (n: number): number => Math.round(100 * n) / 100;

/** An hour without a value is a gap. */
function path(
  hours: SignalsAnswer['hours'],
  kind: Kind,
  hourX: (hour: string) => number,
  yAt: (value: number) => number,
): string {
  let pen = 'M';
  return hours
    .map((hour) => {
      const value = hour[kind];
      const point = value === null ? '' : `${pen}${hourX(hour.at)} ${yAt(value)}`;
      pen = value === null ? 'M' : 'L';
      return point;
    })
    .join('');
}

/** From zero, but for temperature, whose zero means nothing. Two steps, so that labels do not crowd. */
function signalAxis(values: readonly number[], floats: boolean): { from: number; to: number; step: number } {
  const high = Math.max(...values);
  const low = floats ? Math.floor(Math.min(...values)) : 0;
  const step = high <= 1 && !floats ? 0.5 : niceStep(2 * (high - low));
  const from = Math.floor(low / step) * step;
  return { from, to: from + Math.max(1, Math.ceil((high - from) / step)) * step, step };
}
