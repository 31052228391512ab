// All state forecasts against the same hour last week, by day, week or month. A period without forecasts is a gap. The
// download has the other figures: with all of them the page would be too large.

import { lineChart } from '../../charts/chart.ts';
import { count, MIN_SHARE_COUNT, ofN, shareOfN } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { figureColumns } from '../../parts/table.ts';
import { formatDate } from '../../parts/times.ts';
import type { AccuracyAnswers, Period } from './question.ts';

const present = { day: 'today', week: 'this week', month: 'this month' } as const;

const figure = (value: number | null, n: number) => (n < MIN_SHARE_COUNT ? null : value);

/** A day as '11 nov', a week as 'W46', a month as '2026-11'. */
const shortName = ({ name }: Period): string =>
  /^\d{4}-\d\d-\d\d$/.test(name) ? formatDate(name).slice(0, -5) : name.replace(/^\d{4}-(?=W)/, '');

export function overTime({ history: { periods, period } }: AccuracyAnswers): Html {
  const first = periods.findIndex(({ state_forecasts: { n } }) => n > 0);
  if (first < 0) return html`<p>No forecast has been scored in these ${period}s.</p>`;
  const shown = periods.slice(first);
  const every = Math.max(1, Math.ceil(shown.length / 6));
  const total = shown.reduce((sum, { state_forecasts: { n } }) => sum + n, 0);
  const chartLine = (name: string, kind: string, of: (all: Period['state_forecasts']) => number | null) => ({
    name,
    kind,
    dots: shown.length < 9,
    points: shown.map(({ state_forecasts: all }, at) => [at, of(all)] as const),
  });
  return lineChart({
    id: 'time-chart',
    title: `Share of state forecasts that came true, by ${period} of sealing, compared with the same hour last week`,
    about: `All state forecasts by the ${period} of sealing, ${ofN(total)}. The last ${period} is not over; one with fewer than ${MIN_SHARE_COUNT} forecasts is left as a gap.`,
    x: {
      from: -0.5,
      to: shown.length - 0.5,
      // From the end: the axis ends with the present period.
      ticks: shown.flatMap((one, at) => {
        const before = shown.length - 1 - at;
        if (before % every !== 0) return [];
        return [{ at, label: before ? shortName(one) : present[period] }];
      }),
    },
    y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: `${100 * at}\u00a0%` })) },
    lines: [
      chartLine('Same hour last week', 'baseline', (all) => figure(all.same_hour_last_week, all.n)),
      chartLine('State forecasts for waking hours', 'ahead', ({ waking_hours: { accuracy, n } }) =>
        figure(accuracy, n),
      ),
      chartLine('State forecasts that came true', 'calm', (all) => figure(all.accuracy, all.n)),
    ],
    columns: [
      { name: period === 'day' ? 'Day' : period === 'week' ? 'Week' : 'Month' },
      ...figureColumns('Came true', 'Waking hours', 'Same hour last week', 'n'),
    ],
    rows: shown.map(({ name, state_forecasts: all }, at) => ({
      at,
      cells: [
        period === 'day' ? formatDate(name) : name,
        shareOfN(all.accuracy, all.n),
        shareOfN(all.waking_hours.accuracy, all.waking_hours.n),
        all.same_hour_last_week === null ? 'none' : shareOfN(all.same_hour_last_week, all.n),
        count(all.n),
      ],
    })),
  });
}
