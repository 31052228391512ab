import { comparisonText, splitText } from '../../domain/prediction/accuracy-text.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getTrustReport } from '../../operations/report/get-trust-report.ts';
import {
  count,
  MIN_SHARE_COUNT,
  ofN,
  percent,
  sentenceCase,
  shareOfN,
  spacedName,
  wakingTimeFact,
} from '../parts/format.ts';
import { html } from '../parts/html.ts';
import { windowInput, windowLabels, windowLinks } from '../parts/option-links.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { bars, facts, table } from '../parts/table.ts';

export const trustQuestion = composeOperations('page_trust', windowInput, ({ window }) => ({
  trust: bindArguments(getTrustReport, { window }),
}));

export function trustPage(site: Site, { asked, trust }: AnswerOf<typeof trustQuestion>): string {
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
  [
    'Silence was right',
    shareOfN(silence_correctness.vindication_rate, silence_correctness.total_revealed),
    `${ofN(silence_correctness.total_revealed)}, ${count(silence_correctness.sealed_before_outcome.n)} of them sealed before their outcome`,
  ],
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
<h2 id="failures">What went wrong</h2>
${
  failure_analysis.length
    ? bars(
        'Failures by kind',
        failure_analysis.map((failure) => ({
          label:
            'gate' in failure
              ? html`Silence was wrong <small>Gate: ${spacedName(failure.gate)}</small>`
              : html`Forecast missed <small>${sentenceCase(spacedName(failure.kind))}</small>`,
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
  [
    { name: 'Generator' },
    { name: 'Came true', figures: true },
    { name: 'n', figures: true },
    { name: 'Sealed', figures: true },
  ],
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
