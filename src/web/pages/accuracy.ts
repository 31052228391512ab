import Type from 'typebox';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getAccuracyReport } from '../../operations/prediction/get-accuracy-report.ts';
import { listAccuracyDays } from '../../operations/prediction/list-accuracy-days.ts';
import { calibrationChart, lineChart } from '../parts/chart.ts';
import {
  count,
  MIN_SHARE_COUNT,
  ofN,
  percent,
  percentagePoints,
  shareOfN,
  spacedName,
} from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { optionLinks } from '../parts/option-links.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { bars, facts, meter, table } from '../parts/table.ts';
import { formatDate } from '../parts/times.ts';

const daysOf = { '7d': 7, '30d': 30, all: 90 } as const;
const windows = { '7d': 'the last 7 days', '30d': 'the last 30 days', all: 'all time' } as const;

export const accuracyQuestion = composeOperations(
  'page_accuracy',
  { since: Type.Enum(['7d', '30d', 'all'], { default: '30d' }) },
  ({ since }) => ({
    report: bindArguments(getAccuracyReport, { since }),
    history: bindArguments(listAccuracyDays, { days: daysOf[since] }),
  }),
);

type Answers = AnswerOf<typeof accuracyQuestion>;
type Report = Answers['report'];
type Day = Answers['history']['days'][number];

export function accuracyPage(site: Site, { asked, report, history }: Answers): string {
  const { headline, baseline, weighted_by_mqs, filter } = report;
  const lead = headline.overall_accuracy !== null && headline.revealed_count >= MIN_SHARE_COUNT;
  return renderPage(site, {
    title: 'accuracy',
    about: 'how often the sealed forecasts came true, beside a naive baseline that was sealed with each.',
    path: '/accuracy',
    body: html`
<h1>${lead ? `${percent(headline.overall_accuracy)} of forecasts came true` : 'no forecast has been scored yet'}</h1>
<p class="lead">forecasts sealed over ${windows[asked.since]}, before their outcome was known. counted are those with a confidence of at least ${filter.min_confidence} and a completeness of at least ${filter.min_completeness}.</p>
${optionLinks(
  'how far back',
  '/accuracy',
  'since',
  asked.since,
  Object.keys(daysOf).map((since) => [since, windows[since as keyof typeof windows]] as const),
)}
${facts([
  ['came true', shareOfN(headline.overall_accuracy, headline.revealed_count), ofN(headline.revealed_count)],
  ['naive baseline', shareOfN(baseline.baseline_accuracy, headline.revealed_count), 'on the same forecasts'],
  [
    'ahead of it by',
    percentagePoints(baseline.gap_vs_service === null ? null : -baseline.gap_vs_service),
    'points of 100',
  ],
  ['weighted by the moment', percent(weighted_by_mqs.accuracy), 'by moment quality'],
  ['inconclusive', count(headline.inconclusive_count), 'counted, never scored'],
])}
<h2 id="calibration">is the confidence honest</h2>
${calibration(report.calibration)}
<h2 id="days">against the baseline, day by day</h2>
${history.days.some(({ accuracy }) => accuracy !== null) ? daily(history.days) : html`<p>no day has been scored yet.</p>`}
<h2 id="misses">why some missed</h2>
${taxonomy(report.error_taxonomy)}
<h2 id="types">by what was forecast</h2>
${bars(
  'accuracy by type',
  report.by_type.map(({ prediction_type, accuracy, count: n }) => ({
    label: html`${prediction_type === 'other' ? 'the state of a pocket' : spacedName(prediction_type)} <small>${ofN(n)}</small>`,
    share: n < MIN_SHARE_COUNT ? null : accuracy,
    value: shareOfN(accuracy, n),
  })),
)}
<h2 id="pockets">by pocket</h2>
${table(
  'accuracy by pocket',
  [
    { name: 'pocket' },
    { name: 'as a bar', unseen: true },
    { name: 'came true', figures: true },
    { name: 'n', figures: true },
  ],
  report.by_pocket.map(({ pocket_id, accuracy, count: n }) => ({
    cells: [pocketLink(site, pocket_id), meter(accuracy), shareOfN(accuracy, n), count(n)],
  })),
)}
<p class="note"><a href="/api/accuracy?since=${asked.since}">for machines</a> · <a href="/api/predictions">every forecast</a> · <a href="/ledger">how they are sealed</a></p>`,
  });
}

function calibration(buckets: Report['calibration']): Html {
  const known = buckets.flatMap(({ bucket, predictions: n, observed_accuracy: observed, delta }) =>
    observed === null || delta === null || n < MIN_SHARE_COUNT
      ? []
      : [{ bucket, said: observed - delta, observed, n }],
  );
  if (!known.length) return html`<p>too few forecasts have been scored to say.</p>`;
  return calibrationChart({
    id: 'calibration-chart',
    title: 'how often forecasts came true, by how sure they were',
    about: 'to the right: how sure forecasts were on average. upward: how often they came true.',
    points: known,
    columns: [
      { name: 'confidence' },
      { name: 'said', figures: true },
      { name: 'came true', figures: true },
      { name: 'n', figures: true },
    ],
    rows: known.map(({ bucket, said, observed, n }) => ({
      at: said,
      cells: [bucket, percent(said), percent(observed), count(n)],
    })),
  });
}

function daily(days: readonly Day[]): Html {
  const shown = days.slice(days.findIndex(({ accuracy }) => accuracy !== null));
  const every = Math.max(1, Math.ceil(shown.length / 6));
  const figure = (value: number | null, n: number) => (n < MIN_SHARE_COUNT ? null : value);
  return lineChart({
    id: 'days-chart',
    title: 'share of forecasts that came true, by day of sealing, beside the naive baseline',
    about: `by the day they were sealed, ${ofN(shown.reduce((sum, day) => sum + day.count, 0))}. the last day is not over.`,
    x: {
      from: -0.5,
      to: shown.length - 0.5,
      ticks: shown.flatMap(({ date }, at) =>
        at % every === 0 ? [{ at, label: formatDate(date).slice(0, -5) }] : [],
      ),
    },
    y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: `${100 * at}%` })) },
    lines: [
      {
        name: 'naive baseline',
        kind: 'baseline',
        dots: shown.length < 4,
        points: shown.map((day, at) => [at, figure(day.baseline_accuracy, day.count)] as const),
      },
      {
        name: 'came true',
        kind: 'calm',
        dots: shown.length < 4,
        points: shown.map((day, at) => [at, figure(day.accuracy, day.count)] as const),
      },
    ],
    columns: [
      { name: 'day' },
      { name: 'came true', figures: true },
      { name: 'baseline', figures: true },
      { name: 'n', figures: true },
    ],
    rows: shown.map((day, at) => ({
      at,
      cells: [
        formatDate(day.date),
        shareOfN(day.accuracy, day.count),
        shareOfN(day.baseline_accuracy, day.count),
        count(day.count),
      ],
    })),
  });
}

const causes: Record<Report['error_taxonomy'][number]['type'], string> = {
  weather_miss: 'rain came or went unforeseen',
  footfall_miss: 'far more or fewer people than is usual',
  timing_miss: 'right, but a quarter hour early or late',
  freshness_miss: 'too many signals were missing',
  threshold_too_loose: 'near the edge between two states',
  saturation_misread: 'the service spoke in between',
  wrong_pocket_inheritance: 'the city went that way, this pocket did not',
};

function taxonomy(list: Report['error_taxonomy']): Html {
  const total = list.reduce((sum, { count: n }) => sum + n, 0);
  if (!total) return html`<p>none missed.</p>`;
  return html`<p>${ofN(total)} misses, each laid to the first cause that fits.</p>${bars(
    'misses by cause',
    list
      .toSorted((a, b) => b.count - a.count)
      .map(({ type, count: n }) => ({
        label: html`${spacedName(type)} <small>${causes[type]}</small>`,
        share: n / total,
        value: count(n),
        kind: 'c1',
      })),
  )}`;
}
