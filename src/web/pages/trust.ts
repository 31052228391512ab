import { leadText, splitText } from '../../domain/prediction/accuracy-text.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getTrustReport } from '../../operations/report/get-trust-report.ts';
import { count, MIN_SHARE_COUNT, ofN, percent, shareOfN, spacedName } from '../parts/format.ts';
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
  const lead = leadText(state.accuracy, state.baseline, 'the naive baseline');
  const most = Math.max(1, ...failure_analysis.map(({ count: n }) => n));
  return renderPage(site, {
    title: 'trust',
    about: 'what was said, what was held back, what was forecast, and how often each was right or wrong.',
    path: '/trust',
    body: html`
<h1>how far to rely on it</h1>
<p class="lead">what was said, what was held back and what was forecast over ${windowLabels[asked.window]}, with every way in which it failed.</p>
<p>forecasts: ${splitText(predictions.all_forecasts, percent, count)}.</p>
${windowLinks('/trust', asked.window)}
${facts([
  [
    'said',
    count(signals_emitted.total),
    signals_emitted.by_tier.map(({ tier, count: n }) => `${count(n)} of ${tier}`).join(', '),
  ],
  ['held back', count(signals_withheld.total), 'in waking hours, each sealed and explained'],
  ['line still live', count(trust.already_speaking_count), 'quarter hours, not counted as silences'],
  ['quiet hours', count(trust.quiet_hours_count), 'from 23:00 to 07:00, not counted as silences'],
  [
    'silence was right',
    shareOfN(silence_correctness.vindication_rate, silence_correctness.total_revealed),
    `${ofN(silence_correctness.total_revealed)}, ${count(silence_correctness.sealed_before_outcome.n)} of them sealed before their outcome, in waking hours`,
  ],
  ['state forecasts came true', shareOfN(state.accuracy, state.n), ofN(state.n)],
  [
    'confident forecasts came true',
    shareOfN(predictions.overall_accuracy, predictions.overall_count),
    ofN(predictions.overall_count),
  ],
  [
    'forecasts scored',
    count(predictions.total_revealed),
    `${count(predictions.all_forecasts.sealed_before_outcome.n)} of them sealed before their outcome`,
  ],
])}
${lead === null ? null : html`<p class="note">of the state forecasts: ${lead}.</p>`}
<h2 id="failures">what went wrong</h2>
${
  failure_analysis.length
    ? bars(
        'failures by kind',
        failure_analysis.map((failure) => ({
          label:
            'gate' in failure
              ? html`silence was wrong <small>closed at ${spacedName(failure.gate)}</small>`
              : html`forecast missed <small>${spacedName(failure.kind)}</small>`,
          share: failure.count / most,
          value: count(failure.count),
          kind: 'c0',
        })),
      )
    : html`<p>nothing that was judged failed.</p>`
}
<h2 id="gates">what held it back</h2>
${bars(
  'silences by reason',
  signals_withheld.by_reason.map(({ reason_text, count: n }) => ({
    label: reason_text,
    share: n / Math.max(1, signals_withheld.total),
    value: count(n),
  })),
)}
<h2 id="generators">what was forecast</h2>
${table(
  'forecasts by generator',
  [
    { name: 'generator' },
    { name: 'came true', figures: true },
    { name: 'n', figures: true },
    { name: 'sealed', figures: true },
  ],
  predictions.by_generator.map(({ generator, sealed, n, accuracy }) => ({
    cells: [
      spacedName(generator),
      n < MIN_SHARE_COUNT ? 'too few to say' : shareOfN(accuracy, n),
      count(n),
      count(sealed),
    ],
  })),
)}
<p class="note">this table counts all forecasts but those on trial, whatever their confidence. confident ones have a confidence of at least ${predictions.filter.min_confidence} and a completeness of at least ${predictions.filter.min_completeness}, as in <a href="/accuracy">accuracy</a>. ${count(predictions.total_sealed)} were sealed. <a href="/api/trust?window=${asked.window}">for machines</a> · <a href="/silence">silence</a></p>`,
  });
}
