import Type from 'typebox';
import { LEAST_SKILL } from '../../domain/prediction/accuracy-report.ts';
import { leadText, splitText } from '../../domain/prediction/accuracy-text.ts';
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
import { type Html, html, type Piece } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { optionLinks } from '../parts/option-links.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { bars, facts, meter, table } from '../parts/table.ts';
import { formatDate } from '../parts/times.ts';

const daysOf = { '7d': 7, '30d': 30, all: 90 } as const;
const windows = { '7d': 'the last 7 days', '30d': 'the last 30 days', all: 'all time' } as const;

export const accuracyQuestion = composeOperations(
  'page_accuracy',
  { since: Type.Enum(['7d', '30d', 'all'], { default: '30d', description: 'how far back' }) },
  ({ since }) => ({
    report: bindArguments(getAccuracyReport, { since }),
    history: bindArguments(listAccuracyDays, { days: daysOf[since] }),
  }),
);

type Answers = AnswerOf<typeof accuracyQuestion>;
type Report = Answers['report'];
type Day = Answers['history']['days'][number];

export function accuracyPage(site: Site, { asked, report, history }: Answers): string {
  const { headline, baseline, state_forecasts: state, all_forecasts: all, filter } = report;
  const isKnown = state.n >= MIN_SHARE_COUNT;
  return renderPage(site, {
    title: 'accuracy',
    about: 'how often the sealed forecasts came true, beside simple forecasts of the same outcomes.',
    path: '/accuracy',
    body: html`
<h1>${isKnown ? `${percent(state.accuracy)} of state forecasts came true` : 'too few forecasts have been scored yet'}</h1>
<p class="lead">forecasts sealed over ${windows[asked.since]}: ${splitText(all, percent, count)}.</p>
<p>${isKnown ? html`the state of a pocket, one to three hours ahead, whatever the confidence (${ofN(state.n)}): ${leadText(state.accuracy, state.baseline, 'the naive baseline')}. ` : null}of those with a confidence of at least ${filter.min_confidence} and a completeness of at least ${filter.min_completeness}, of every kind, ${shareOfN(headline.overall_accuracy, headline.revealed_count)} came true (${ofN(headline.revealed_count)}).</p>
${optionLinks(
  'how far back',
  '/accuracy',
  'since',
  asked.since,
  Object.keys(daysOf).map((since) => [since, windows[since as keyof typeof windows]] as const),
)}
${facts([
  ['state forecasts', shareOfN(state.accuracy, state.n), ofN(state.n)],
  ['naive baseline', shareOfN(state.baseline, state.n), 'on the same forecasts'],
  ['all kinds', shareOfN(all.accuracy, all.n), ofN(all.n)],
  [
    'confident ones',
    shareOfN(headline.overall_accuracy, headline.revealed_count),
    `${ofN(headline.revealed_count)}; naive baseline ${shareOfN(baseline.baseline_accuracy, headline.revealed_count)}`,
  ],
  [
    'weighted by the moment',
    percent(report.weighted_by_mqs.accuracy),
    'the confident ones, by moment quality',
  ],
  ['inconclusive', count(headline.inconclusive_count), 'confident ones: counted, never scored'],
])}
<h2 id="baselines">against simple forecasts</h2>
${baselinesTable(report.baselines)}
<h2 id="horizons">by how far ahead</h2>
${groupTable(
  'accuracy by horizon',
  'horizon',
  report.by_horizon.map(({ horizon_minutes, ...figures }) => [`${horizon_minutes} minutes`, figures]),
)}
<h2 id="types">by what was forecast</h2>
${groupTable('accuracy by type', 'what', report.by_type.map(typeRow))}
<p class="note">${unskilledText(report.by_type)}</p>
<h2 id="calibration">is the confidence honest</h2>
${calibration(report.calibration)}
<h2 id="days">the confident ones against the baseline, day by day</h2>
${history.days.some(({ accuracy }) => accuracy !== null) ? daily(history.days) : html`<p>no day has been scored yet.</p>`}
<h2 id="misses">why some of the confident ones missed</h2>
${taxonomy(report.error_taxonomy)}
<h2 id="pockets">by pocket</h2>
${groupTable(
  'accuracy by pocket',
  'pocket',
  report.by_pocket.map(({ pocket_id, ...figures }) => [pocketLink(site, pocket_id), figures]),
)}
<p class="note"><a href="/api/accuracy?since=${asked.since}">for machines</a> · <a href="/api/predictions">every forecast</a> · <a href="/ledger">how they are sealed</a></p>`,
  });
}

const baselineNames: Record<Report['baselines'][number]['name'], string> = {
  naive: 'naive baseline',
  persistence: 'persistence',
  same_hour_last_week: 'the same hour last week',
};

const baselinesTable = (baselines: Report['baselines']): Html =>
  table(
    'state forecasts beside simple forecasts of the same outcomes',
    [
      { name: 'simple forecast' },
      { name: 'what it is', text: true },
      { name: 'came true', figures: true },
      { name: 'the service there', figures: true },
      { name: 'less the service', figures: true },
      { name: 'n', figures: true },
    ],
    baselines.map(({ name, definition, accuracy, n, gap_vs_service, service_accuracy_on_same_rows }) => ({
      cells: [
        baselineNames[name],
        definition,
        shareOfN(accuracy, n),
        shareOfN(service_accuracy_on_same_rows, n),
        n < MIN_SHARE_COUNT ? 'too few to say' : percentagePoints(gap_vs_service),
        count(n),
      ],
    })),
  );

type Figures = Omit<Report['by_horizon'][number], 'horizon_minutes'>;

/** A group of forecasts in a row: all of them, and the confident ones. */
const groupTable = (caption: string, what: string, rows: readonly (readonly [Piece, Figures])[]): Html =>
  table(
    caption,
    [
      { name: what },
      { name: 'as a bar', unseen: true },
      { name: 'came true', figures: true },
      { name: 'naive baseline', figures: true },
      { name: 'persistence', figures: true },
      { name: 'n', figures: true },
      { name: 'confident ones', figures: true },
      { name: 'their n', figures: true },
    ],
    rows.map(([name, { accuracy, count: confident, all }]) => ({
      cells: [
        name,
        meter(all.n < MIN_SHARE_COUNT ? null : all.accuracy),
        shareOfN(all.accuracy, all.n),
        shareOfN(all.baseline, all.n),
        all.persistence === null ? 'none' : shareOfN(all.persistence, all.n),
        count(all.n),
        shareOfN(accuracy, confident),
        count(confident),
      ],
    })),
  );

const typeName = (type: Report['by_type'][number]['prediction_type']): string =>
  type === 'other' ? 'the state of a pocket' : spacedName(type);

const typeRow = ({ prediction_type, skill, ...figures }: Report['by_type'][number]) =>
  [
    html`${typeName(prediction_type)}${skill === 'none' ? html` <small>no skill</small>` : null}`,
    figures,
  ] as const;

function unskilledText(types: Report['by_type']): string {
  const known = types.filter(({ skill }) => skill !== null);
  if (!known.length) return 'too few forecasts have been scored to say which kinds have skill.';
  const unskilled = known.filter(({ skill }) => skill === 'none');
  const rule = `a kind of forecast has skill where it came true at least ${100 * LEAST_SKILL} point more often than the naive baseline and persistence`;
  if (!unskilled.length) return `${rule}: all do.`;
  return `${rule}. no skill: ${unskilled.map(({ prediction_type }) => typeName(prediction_type)).join(', ')}.`;
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
