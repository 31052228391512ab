// The chart on the page of a pocket: its last 24 hours up to now and the forecast of the next three. Where readings are
// missing, also before now, nothing is drawn.

import { readingAge } from '../../domain/report/reading-age.ts';
import { HOUR } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { PocketAnswers } from '../pages/pocket-question.ts';
import { lineChart } from './chart.ts';
import { ofN, scalar, stored } from './format.ts';
import { type Html, html } from './html.ts';
import { newestReadingLine } from './reading-age.ts';
import { clockTime } from './times.ts';

/** The prediction interval is drawn as a band around the forecast. */
export function dayChart(day: PocketAnswers['day'], zone: Zone): Html {
  const { readings, ahead, as_of, newest_reading_at } = day;
  const age = newestReadingLine(newest_reading_at, as_of, zone);
  const last = readings.at(-1);
  if (!last) return html`<p>Nothing was observed here in the last 24 hours.</p>${age}`;
  const at = (moment: string) => Date.parse(moment);
  const now = at(as_of);
  const end = at(last.captured_at);
  const from = now - 24 * HOUR;
  const to = Math.max(now, ...ahead.map((horizon) => at(horizon.at)));
  // Late readings leave a gap before now, which no line may cross.
  const start = readingAge(end, now).late ? [] : [{ x: end, calm: last.calm }];
  const intervals = ahead.flatMap(({ at: when, likely }) => (likely ? [{ when, ...likely }] : []));
  const n = Math.min(...intervals.map((interval) => interval.n));
  const chart = lineChart({
    id: 'day-chart',
    title: 'calm level and stress over the last 24 hours, and the calm level expected over the next three',
    about: intervals.length
      ? `readings every quarter hour (n = ${readings.length}). the band is as wide as eight in ten forecasts of the last day were off at most (${ofN(n)} for each hour ahead).`
      : `readings every quarter hour (n = ${readings.length}). too few forecasts have come due to say how far they are off.`,
    x: { from, to, ticks: hours(from, to, zone) },
    y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((tick) => ({ at: tick, label: String(tick) })) },
    rules: [{ at: now, label: `now ${zone.clockOf(now)}` }],
    band: intervals.length
      ? {
          name: 'likely',
          points: [
            ...start.map(({ x, calm }) => [x, calm, calm] as const),
            ...intervals.map(({ when, low, high }) => [at(when), low, high] as const),
          ],
        }
      : undefined,
    lines: [
      {
        name: 'stress',
        kind: 'stress',
        points: withGaps(readings.map((read) => [at(read.captured_at), read.stress])),
      },
      {
        name: 'calm level',
        kind: 'calm',
        points: withGaps(readings.map((read) => [at(read.captured_at), read.calm])),
      },
      {
        name: 'forecast of the calm level',
        kind: 'ahead',
        dots: true,
        points: [
          ...start.map(({ x, calm }) => [x, calm] as const),
          ...ahead.map((one) => [at(one.at), one.expected_calm] as const),
        ],
      },
    ],
    columns: [
      { name: 'time' },
      { name: 'calm level', figures: true },
      { name: 'stress', figures: true },
      { name: 'state' },
    ],
    rows: [
      ...readings.map((read) => ({
        at: at(read.captured_at),
        cells: [
          clockTime(read.captured_at, zone),
          stored(read.calm),
          stored(read.stress),
          read.primary_state,
        ],
      })),
      ...ahead.map((one) => ({
        at: at(one.at),
        cells: [
          clockTime(one.at, zone),
          `${scalar(one.expected_calm)}${one.likely ? ` (${scalar(one.likely.low)}–${scalar(one.likely.high)})` : ''}`,
          '',
          html`<a href="/ledger/${one.prediction_id}">perhaps ${one.expected_state}</a>`,
        ],
      })),
    ],
  });
  return html`${chart}${age}`;
}

/** Breaks the line where a slot has no reading. */
function withGaps(points: [number, number][]): [number, number | null][] {
  return points.flatMap(([x, y], i): [number, number | null][] => {
    const before = points[i - 1]?.[0] ?? x;
    return x - before > 0.26 * HOUR
      ? [
          [x - 1, null],
          [x, y],
        ]
      : [[x, y]];
  });
}

/** Ticks at 00:00, 06:00, 12:00 and 18:00 of the local clock: not always six hours apart where clocks change. */
function hours(from: number, to: number, zone: Zone) {
  const ticks = [];
  for (let day = zone.startOfDay(from); day <= to; day = zone.startOfDay(day, 1)) {
    for (const hour of [0, 6, 12, 18]) {
      const at = zone.atHour(day, hour);
      if (at >= from && at <= to) ticks.push({ at, label: zone.clockOf(at) });
    }
  }
  return ticks;
}
