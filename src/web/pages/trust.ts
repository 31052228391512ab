import { comparisonText, splitText } from '../../domain/prediction/accuracy-text.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { cellsText } from '../../domain/verdict/decision-cells.ts';
import { verdictText } from '../../domain/verdict/verdict.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getTrustReport } from '../../operations/report/get-trust-report.ts';
import { listStatesOfRestraint } from '../../operations/report/list-states-of-restraint.ts';
import {
  count,
  MIN_SHARE_COUNT,
  ofN,
  percent,
  shareOfN,
  spacedName,
  wakingTimeFact,
} from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { windowInput, windowLabels, windowLinks } from '../parts/option-links.ts';
import { cellsFacts, cellsTable } from '../parts/outcome.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { pageOfPockets, pocketPageInput, pocketPager } from '../parts/pocket-pages.ts';
import { bars, facts, figureColumns, table } from '../parts/table.ts';
import { term } from '../parts/terms.ts';

export const trustQuestion = composeOperations(
  'page_trust',
  { ...windowInput, ...pocketPageInput },
  ({ window }) => ({
    trust: bindArguments(getTrustReport, { window }),
    months: bindArguments(listStatesOfRestraint, { limit: 12 }),
  }),
);

type Answers = AnswerOf<typeof trustQuestion>;

export function trustPage(site: Site, { asked, trust, months }: Answers): string {
  const { signals_emitted, signals_withheld, predictions, silence_correctness, failure_analysis } = trust;
  const state = predictions.state_forecasts;
  const compared = comparisonText(predictions.baselines, percent, count);
  const most = Math.max(1, ...failure_analysis.map(({ count: n }) => n));
  return renderPage(site, {
    title: 'Trust',
    about: 'What was said, what was held back, what was forecast, and how often each was right or wrong.',
    path: '/trust',
    body: html`
<h1>How far to rely on it</h1>
<p class="lead">What was said, held back and forecast over ${windowLabels[asked.window]}, and every way in which it failed.</p>
<p>Forecasts: ${splitText(predictions.all_forecasts, percent, count)}.</p>
${windowLinks('/trust', asked.window)}
${facts([
  wakingTimeFact(trust.waking_time),
  [
    'Lines said',
    count(signals_emitted.total),
    signals_emitted.by_tier.map(({ tier, count: n }) => `${count(n)} of ${tier}`).join(', '),
  ],
  ['Held back', count(signals_withheld.total), 'silences in waking hours, each sealed and explained'],
  ['Line still live', count(trust.already_speaking_count), 'quarter hours, not counted as silences'],
  ['Quiet hours', count(trust.quiet_hours_count), 'from 23:00 to 07:00, not counted as silences'],
  ...cellsFacts(trust.decisions_judged),
  ['State forecasts came true', shareOfN(state.accuracy, state.n), ofN(state.n)],
  [
    'In waking hours',
    shareOfN(state.waking_hours.accuracy, state.waking_hours.n),
    `${ofN(state.waking_hours.n)} state forecasts; at night ${shareOfN(state.nights.accuracy, state.nights.n)}`,
  ],
  [
    'Confident forecasts came true',
    shareOfN(predictions.overall_accuracy, predictions.overall_count),
    `${ofN(predictions.overall_count)}; in waking hours ${shareOfN(predictions.waking_hours.accuracy, predictions.waking_hours.n)}`,
  ],
  [
    'Forecasts scored',
    count(predictions.total_revealed),
    `${count(predictions.all_forecasts.sealed_before_outcome.n)} of them sealed before their outcome`,
  ],
])}
${compared === null ? null : html`<p class="note">State forecasts: ${compared}. <a href="/accuracy#baselines">What these simple forecasts are</a>.</p>`}
<h2 id="decisions">Spoke or silent, right or wrong</h2>
<p>Every line and every silence gets a ${term('verdict')} at the end that the line named, or would have named: ${cellsText(trust.decisions_judged)}. Of the silences judged, ${count(silence_correctness.sealed_before_outcome.n)} were sealed before their outcome.</p>
${decisions(site, { asked, trust, months })}
<h2 id="failures">What went wrong</h2>
${
  failure_analysis.length
    ? bars(
        'Failures by kind',
        failure_analysis.map((failure) => ({
          label: failureLabel(failure),
          share: failure.count / most,
          value: count(failure.count),
          kind: 'c0',
        })),
      )
    : html`<p>Nothing that was judged failed.</p>`
}
<h2 id="gates">Why lines were held back</h2>
${bars(
  'Silences by reason',
  signals_withheld.by_reason.map(({ reason_text, count: n }) => ({
    label: sentenceCase(reason_text),
    share: n / Math.max(1, signals_withheld.total),
    value: count(n),
  })),
)}
<h2 id="generators">What was forecast</h2>
${table(
  'Forecasts by generator',
  ['Generator', ...figureColumns('Came true', 'n', 'Sealed')],
  predictions.by_generator.map(({ generator, sealed, n, accuracy }) => ({
    cells: [
      sentenceCase(spacedName(generator)),
      n < MIN_SHARE_COUNT ? 'too few to say' : shareOfN(accuracy, n),
      count(n),
      count(sealed),
    ],
  })),
)}
<p class="note">This table counts all forecasts except those on trial, whatever their confidence. <a href="/accuracy#confident">Confident forecasts</a> have a confidence of at least ${predictions.filter.min_confidence} and a completeness of at least ${predictions.filter.min_completeness}. ${count(predictions.total_sealed)} were sealed. <a href="/api/trust?window=${asked.window}">JSON</a> · <a href="/accuracy">Accuracy</a> · <a href="/silence">Silence</a> · <a href="/docs">API docs</a></p>`,
  });
}

/** The four cells of all pockets and of each, over the window, and of each month that has a report. */
function decisions(site: Site, { asked, trust, months }: Pick<Answers, 'asked' | 'trust' | 'months'>): Html {
  const listed = pageOfPockets(site, trust.per_pocket, ({ pocket_id }) => pocket_id, asked);
  return html`${pocketPager(site, '/trust', 'decisions', asked, listed, { window: asked.window })}
${cellsTable('Verdicts on decisions by pocket', 'Pocket', [
  { name: 'All pockets', cells: trust.decisions_judged },
  ...listed.rows.map((row) => ({ name: pocketLink(site, row.pocket_id), cells: row.decisions_judged })),
])}
<h3 id="months">Month by month</h3>
${
  months.reports.length
    ? cellsTable(
        'Verdicts on decisions by month',
        'Month',
        months.reports.map(({ month_iso, metrics }) => ({
          name: html`<a href="/reports/restraint/${month_iso}">${month_iso}</a>`,
          cells: metrics.decisions_judged,
        })),
      )
    : html`<p>No month has ended yet: the first report is written on the 1st.</p>`
}`;
}

type Failure = Answers['trust']['failure_analysis'][number];

function failureLabel(failure: Failure): Html {
  if ('gate' in failure) return html`Silence was wrong <small>Gate: ${spacedName(failure.gate)}</small>`;
  return 'outcome' in failure
    ? html`Line failed <small>${sentenceCase(verdictText(true, failure.outcome))}</small>`
    : html`Forecast missed <small>${sentenceCase(spacedName(failure.kind))}</small>`;
}
