// The page of a pocket's evidence: what its reading rests on, forecasts and what happened, resonance, equilibrium.

import { dimensions as dimensionNames } from '../../../domain/decision/equilibrium.ts';
import type { ExpectedSignal } from '../../../domain/signals/signal.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { againstThreshold, ofN, percent, plural, scalar, shareOfN, spacedName } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketName } from '../../parts/links.ts';
import { forecastText, observedText, verdictMark } from '../../parts/outcome.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { bars, table } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { clockTime } from '../../parts/times.ts';
import { type EvidenceAnswers, HOUR_AHEAD, type Prediction } from './question.ts';
import { ageText, signalNames } from './words.ts';

interface Part {
  id: string;
  title: string;
  render(site: Site, answers: EvidenceAnswers): Html;
}

const parts: readonly Part[] = [
  { id: 'rests-on', title: 'What the reading rests on', render: restsOnPart },
  { id: 'reveals', title: 'Forecasts and what happened', render: revealsPart },
  { id: 'resonance', title: 'Reasons to speak', render: resonancePart },
  { id: 'equilibrium', title: 'Effect on the place', render: equilibriumPart },
];

const evidencePath = (pocket: string): string => `/pocket/${pocket}/evidence`;

export const evidenceLinks = (pocket: string): Html =>
  html`<ul class="links">${parts.map(({ id, title }) => html`<li><a href="${evidencePath(pocket)}#${id}">${title}</a></li>`)}</ul>`;

export function evidencePage(site: Site, answers: EvidenceAnswers): string {
  const { pocket_id } = answers.asked;
  const name = pocketName(site, pocket_id);
  return renderPage(site, {
    title: `${name}: the evidence`,
    about: `${name}: what its newest reading rests on, how forecasts came true, and what speaks for and against a message.`,
    path: evidencePath(pocket_id),
    live: true,
    body: html`
<p class="crumb"><a href="/">All pockets</a> / <a href="/pocket/${pocket_id}">${name}</a></p>
<h1>${name}: the evidence</h1>
<p class="lead">What the newest reading rests on, how forecasts came true, and what speaks for and against a message.</p>
${parts.map(
  ({ id, title, render }) => html`
<h2 id="${id}">${title}</h2>
${render(site, answers)}`,
)}`,
  });
}

/** The signals of the newest reading with their age; a value that stands in for a count is named as such. */
function restsOnPart(site: Site, { provenance }: EvidenceAnswers): Html {
  const { at, signals, completeness, note } = provenance;
  if (at === null || !signals.length) return html`<p>No signal has arrived here yet.</p>`;
  const link = `/api/provenance?pocket=${provenance.pocket_id}`;
  return html`
<p>At ${clockTime(at, site.zone)} ${plural(signals.length, 'signal')} had arrived, ${percent(completeness)} of what a reading rests on (${term('completeness', 'completeness')}).${note === null ? null : html` ${sentenceCase(note)}`}</p>
${table(
  'Signals of the newest reading',
  ['Signal', { name: 'Age at the reading', figures: true }, 'Source'],
  signals.map(({ kind, source, observed_at }) => ({
    cells: [
      html`${signalNames[kind]}${isProxy(site, kind, source) ? html` <small>stands in for a count of people</small>` : null}`,
      ageText(observed_at, at),
      sourceText(source),
    ],
  })),
)}
<p class="note"><a href="${link}">JSON</a> · <a href="/feeds">About the feeds</a></p>`;
}

/** A source, `feed/place` or `simulated:sensor`, that wraps between its parts on a phone. */
const sourceText = (source: string): Html =>
  html`${source.split(/(?<=[:/])/).map((part, at) => (at ? html`<wbr>${part}` : part))}`;

/** Whether the feed of a source, `feed/place`, measures the signal as a proxy. */
function isProxy({ registry }: Site, kind: ExpectedSignal, source: string): boolean {
  const feed = registry.feeds?.find(({ id }) => source.startsWith(`${id}/`));
  return Object.values(feed?.fields ?? {}).some(
    (use) => use.measures === kind && 'proxy' in use && use.proxy === true,
  );
}

function resonancePart(_site: Site, { resonance: { resonance } }: EvidenceAnswers): Html {
  if (!resonance) return html`<p>Not enough recent data.</p>`;
  const { score, should_surface, threshold, decay_reason, layers } = resonance;
  return html`
<div data-then="Not known at present."><div data-now><p>${term('resonance', 'Resonance')} <b>${againstThreshold(score, threshold)}</b>, the product of seven layers: ${should_surface ? 'enough' : 'not enough'} reason to speak, for which ${threshold} is needed. ${sentenceCase(decay_reason)}.</p>
${bars(
  'The seven layers of resonance',
  Object.entries(layers).map(([name, layer]) => ({
    label: html`${sentenceCase(spacedName(name))} <small>${sentenceCase(layer.reasoning)}</small>`,
    share: layer.score,
    value: againstThreshold(layer.score, threshold),
    kind: layer.score !== null && layer.score < threshold ? 'c0' : 'plain',
    threshold,
  })),
)}</div></div>`;
}

function revealsPart(site: Site, { reveals: { entries, stats } }: EvidenceAnswers): Html {
  const scored = stats.by_generator.find(({ generator }) => generator === HOUR_AHEAD);
  if (!entries.length) return html`<p>No forecast of the last day has come due yet.</p>`;
  return html`<p>An hour ahead, over the last day: ${shareOfN(scored?.accuracy ?? null, scored?.n ?? 0)} came true (${ofN(scored?.n ?? 0)}). Each is sealed in the <a href="/ledger">ledger</a>; the newest first.</p>${table(
    'Forecasts an hour ahead and what happened',
    [
      'For',
      { name: 'Verdict', unseen: true },
      'Forecast',
      'Observed',
      { name: 'Accuracy', figures: true },
      'Sealed as',
    ],
    entries.map((entry) => revealRow(site, entry)),
  )}`;
}

const revealRow = (
  site: Site,
  { id, reveal_at, prediction_payload, actual_observation, accuracy_score }: Prediction,
) => ({
  cells: [
    clockTime(reveal_at, site.zone),
    verdictMark(accuracy_score === null ? null : accuracy_score >= 0.5),
    forecastText(prediction_payload.forecast),
    observedText(actual_observation),
    scalar(accuracy_score),
    html`<a href="/ledger/${id}">Seal</a>`,
  ],
});

function equilibriumPart(site: Site, { equilibrium }: EvidenceAnswers): Html {
  const { composite, direction, dimensions, reasons, computed_at, compared_with_silence } = equilibrium;
  if (!computed_at) return html`<p>Not known yet.</p>`;
  return html`
<p>${term('equilibrium', 'Equilibrium')} <b>${scalar(composite)}</b> from 0 to 1, ${direction}, computed at ${clockTime(computed_at, site.zone)}. It is the mean of six measures; one that is not known is left out.</p>
${bars(
  'The six measures of equilibrium',
  dimensionNames.map((name) => ({
    label: html`${sentenceCase(spacedName(name))} <small>${sentenceCase(reasons[name].replace(/ \([\d.]+\)\.$/, '').replace(/\.$/, ''))}</small>`,
    share: dimensions[name],
    value: dimensions[name] === null ? html`<span class="soft">unknown</span>` : scalar(dimensions[name]),
  })),
)}
<p>${sentenceCase(compared_with_silence.text)}</p>`;
}
