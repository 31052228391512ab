// The calm level of one day against what is usual for its weekday. Today's chart also has the sealed forecasts of the
// next three hours with their range; the usual goes on to the end of the day.

import { readingAge } from '../../../domain/report/reading-age.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { HOUR } from '../../../domain/time/slot.ts';
import type { Zone } from '../../../domain/time/zone.ts';
import { lineChart } from '../../charts/chart.ts';
import { allDecimals, ofN, scalar } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { stateWords } from '../../parts/place-words.ts';
import type { DayAnswer, PocketAnswers } from './question.ts';

type Ahead = PocketAnswers['day']['ahead'];

const at = (moment: string): number => Date.parse(moment);

export function dayChart(day: DayAnswer, ahead: Ahead, zone: Zone): Html {
  const { readings, usual, as_of } = day;
  const last = readings.at(-1);
  const [from, end] = [at(day.from), at(day.to)];
  const now = at(as_of);
  const isToday = now < end;
  const intervals = ahead.flatMap(({ at: when, likely }) => (likely ? [{ when, ...likely }] : []));
  const known = usual.filter(({ calm }) => calm !== null);
  const x = { from, to: Math.max(end, ...ahead.map((one) => at(one.at))) };
  // The mean of an hour stands in its middle.
  const middle = (hour: string) => at(hour) + HOUR / 2;
  // Late readings leave a gap before now, which no line may cross.
  const isLate = !last || readingAge(at(last.captured_at), now).late;
  const start = last && isToday && !isLate ? [{ x: at(last.captured_at), y: last.calm }] : [];
  return lineChart({
    id: 'day-chart',
    title: `Calm level of ${isToday ? 'today' : 'this day'} against the usual of a ${sentenceCase(day.weekday)}`,
    about: aboutText(day, intervals, known.length > 0, zone),
    x: { ...x, ticks: hourTicks(x.from, x.to, zone) },
    y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((tick) => ({ at: tick, label: String(tick) })) },
    rules: isToday ? [{ at: now, label: 'now' }] : [],
    band: intervals.length
      ? {
          name: 'Likely range',
          points: [
            ...start.map(({ x, y }) => [x, y, y] as const),
            ...intervals.map(({ when, low, high }) => [at(when), low, high] as const),
          ],
        }
      : undefined,
    lines: [
      { name: 'Usual', kind: 'usual', points: usual.map((hour) => [middle(hour.at), hour.calm]) },
      {
        name: 'Calm level',
        kind: 'calm',
        points: withGaps(readings.map((read) => [at(read.captured_at), read.calm])),
      },
      ...(ahead.length
        ? [
            {
              name: 'Forecast',
              kind: 'ahead',
              dots: true,
              points: [
                ...start.map(({ x, y }) => [x, y] as const),
                ...ahead.map((one) => [at(one.at), one.expected_calm] as const),
              ],
            },
          ]
        : []),
    ],
    columns: ['Time', 'Calm level', 'Usual', 'State'],
    rows: dayRows(day, ahead, zone),
  });
}

/** Readings, then forecasts, then the usual of the hours of today that no forecast reaches. */
function dayRows({ readings, usual, as_of }: DayAnswer, ahead: Ahead, zone: Zone) {
  const hours = usual.flatMap(({ at: from, calm }) => (calm === null ? [] : [{ from: at(from), calm }]));
  const usualAt = (time: number) =>
    hours.find(({ from }) => from <= time && time < from + HOUR)?.calm ?? null;
  const shown = (calm: number | null) => (calm === null ? '' : scalar(calm));
  const reached = Math.max(at(as_of), ...ahead.map((one) => at(one.at)));
  return [
    ...readings.map((read) => ({
      at: at(read.captured_at),
      cells: [
        zone.localClock(at(read.captured_at)),
        allDecimals(read.calm),
        shown(usualAt(at(read.captured_at))),
        stateWords[read.primary_state],
      ],
    })),
    ...ahead.map((one) => ({
      at: at(one.at),
      cells: [
        zone.localClock(at(one.at)),
        `${scalar(one.expected_calm)}${one.likely ? ` (${scalar(one.likely.low)}–${scalar(one.likely.high)})` : ''}`,
        shown(usualAt(at(one.at))),
        html`<a href="/ledger/${one.prediction_id}">Forecast: ${stateWords[one.expected_state]}</a>`,
      ],
    })),
    ...hours
      .filter(({ from }) => from > reached)
      .map(({ from, calm }) => ({
        at: from + HOUR / 2,
        cells: [zone.localClock(from), '', shown(calm), 'Usual, not a forecast'],
      })),
  ];
}

function aboutText(
  { readings, weekday }: DayAnswer,
  intervals: readonly { n: number }[],
  usualIsKnown: boolean,
  zone: Zone,
): string {
  const forecast = intervals.length
    ? [
        `The band holds eight in ten forecasts of the last day (${ofN(Math.min(...intervals.map(({ n }) => n)))} for each hour ahead).`,
      ]
    : [];
  return [
    `A reading every quarter hour (${ofN(readings.length)}), ${zone.generalName}.`,
    usualIsKnown
      ? `The usual is the mean of the same hour on a ${sentenceCase(weekday)}; it is not a forecast.`
      : 'The usual is known after two weeks.',
    ...forecast,
  ].join(' ');
}

/** Breaks the line where a slot has no reading. */
export function withGaps(points: [number, number][]): [number, number | null][] {
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
export function hourTicks(from: number, to: number, zone: Zone) {
  // A label at the very end would be cut off.
  const last = to - 0.03 * (to - from);
  const ticks = [];
  for (let day = zone.startOfDay(from); day <= to; day = zone.startOfDay(day, 1)) {
    for (const hour of [0, 6, 12, 18]) {
      const time = zone.atHour(day, hour);
      if (time >= from && time <= last) ticks.push({ at: time, label: zone.localClock(time) });
    }
  }
  return ticks;
}
