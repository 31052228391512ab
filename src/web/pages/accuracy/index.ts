// The page of accuracy: all state forecasts first, then the confident subset, each with its definition and its n; then
// by horizon, over time and by kind, and how to question the figures. pockets.ts has them by pocket.
import { baselineNames, leadText, partsText, splitText } from '../../../domain/prediction/accuracy-text.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { citationPart } from '../../parts/citation.ts';
import { count, MIN_SHARE_COUNT, ofN, percent, shareOfN } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketLink, pocketName } from '../../parts/links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { newestReadingLine } from '../../parts/reading-age.ts';
import { facts } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { calmPart, windowsPart } from './calm-probability.ts';
import { calibration, taxonomy } from './confident.ts';
import { dataDictionary } from './dictionary.ts';
import { overTime } from './over-time.ts';
import { type AccuracyAnswers, sinceLabels } from './question.ts';
import { baselineLabels, baselinesTable, groupTable, typeRow, unskilledText } from './tables.ts';

export function accuracyPage(site: Site, answers: AccuracyAnswers): string {
  const { asked, report, history, newest } = answers;
  const { state_forecasts: state } = report;
  const isKnown = state.n >= MIN_SHARE_COUNT;
  const place = asked.pocket_id === undefined ? '' : ` in ${pocketName(site, asked.pocket_id)}`;
  return renderPage(site, {
    title: 'Accuracy',
    about: 'How often the sealed forecasts came true, compared with simple forecasts of the same outcomes.',
    path: '/accuracy',
    body: html`
${asked.pocket_id === undefined ? null : html`<p class="crumb"><a href="/accuracy">All pockets</a> / ${pocketLink(site, asked.pocket_id)}</p>`}
<h1>${isKnown ? accuracyHeading(state, place) : `Too few forecasts have been scored yet${place}`}</h1>
<p class="lead">Forecasts sealed over ${sinceLabels[asked.since]}: ${splitText(report.all_forecasts, percent, count)}.</p>
${optionLinks('How far back', asked, 'since', sinceLabels)}
<h2 id="all">All state forecasts</h2>
<p>Every ${term('state forecast', 'forecast of the state')} of a ${term('pocket')} 60, 120 and 180 minutes ahead, whatever its confidence. ${lead(answers)}</p>
${facts([
  ['Came true', shareOfN(state.accuracy, state.n), ofN(state.n)],
  [
    term('waking hours', 'In waking hours'),
    shareOfN(state.waking_hours.accuracy, state.waking_hours.n),
    `${ofN(state.waking_hours.n)}, for a time from 07:00 to 23:00`,
  ],
  [
    'At night',
    shareOfN(state.nights.accuracy, state.nights.n),
    `${ofN(state.nights.n)}, for a time from 23:00 to 07:00`,
  ],
  ...report.baselines.map(
    ({ name, accuracy, n }) => [baselineTerm(name), shareOfN(accuracy, n), simpleNote(name, n)] as const,
  ),
  [
    term('Brier score'),
    state.n < MIN_SHARE_COUNT ? 'too few to say' : brier(state.brier_score),
    '0 is best, 1 is worst',
  ],
])}
${confidentPart(answers)}
<h2 id="terms">What these figures mean</h2>
<dl class="terms">
<dt id="came-true">Came true</dt><dd>A forecast scores 0 to 1 against what was observed; at 0.5 or more it came true. If nothing was observed within 15 minutes, it is inconclusive: counted, never scored.</dd>
${report.baselines.map(({ name, definition }) => html`<dt id="${baselineIds[name]}">${baselineLabels[name]}</dt><dd>${sentenceCase(definition)}.</dd>\n`)}
<dt id="brier-score">Brier score</dt><dd>The mean of (confidence − outcome)², where the outcome is 1 if the forecast came true and 0 if it did not. Stating 50\u00a0% every time gives 0.25.</dd>
<dt id="confident">Confident forecasts</dt><dd>Of every kind, with a confidence of at least ${report.filter.min_confidence} and a completeness (share of expected signals that were fresh) of at least ${report.filter.min_completeness}. The service chose them itself, so they flatter it.</dd>
</dl>
<h2 id="baselines">Against simple forecasts</h2>
<p>Above 0 points, the service was right more often. A service that cannot beat them has nothing to say.</p>
${baselinesTable(report.baselines)}
${calmPart(answers)}
${windowsPart(answers)}
<h2 id="horizons">By how far ahead</h2>
${groupTable(
  'Accuracy by horizon',
  'Horizon',
  report.by_horizon.map(({ horizon_minutes, ...figures }) => [`${horizon_minutes} min`, figures]),
)}
<h2 id="time">Over time</h2>
${optionLinks('Length of a period', asked, 'by', { day: 'By day', week: 'By week', month: 'By month' }, '#time')}
${newestReadingLine(newest.newest_reading_at, newest.as_of, site.zone)}
${overTime(answers)}
<h2 id="types">By what was forecast</h2>
${groupTable('Accuracy by kind of forecast', 'Kind', report.by_type.map(typeRow))}
<p class="note">${unskilledText(report.by_type)}</p>
<h2 id="calibration">Is the confidence honest?</h2>
${calibration(report.calibration)}
<h2 id="misses">Why some confident forecasts missed</h2>
${taxonomy(report.error_taxonomy)}
${
  asked.pocket_id === undefined
    ? html`<h2 id="pockets">By pocket</h2>
<p><a href="/accuracy/pockets?since=${asked.since}">The accuracy of each pocket</a>, and from there all of these figures for one of them.</p>`
    : null
}
${downloads(answers)}
${dataDictionary()}
${citationPart(site, { title: `Accuracy of sealed forecasts${place}`, path: '/accuracy', date: site.zone.localDate(Date.parse(history.periods.at(-1)?.to ?? site.builtAt)) })}`,
  });
}

const brier = (score: number | null): string => (score === null ? 'not known' : score.toFixed(3));

const accuracyHeading = (
  { accuracy, waking_hours: { accuracy: waking, n } }: AccuracyAnswers['report']['state_forecasts'],
  place: string,
): string =>
  `${percent(accuracy)} of state forecasts came true${place}${n < MIN_SHARE_COUNT ? '' : `, ${percent(waking)} in waking hours`}`;

/** Against the strongest simple forecast, over all hours and in waking hours. */
function lead({ report: { baselines } }: AccuracyAnswers): string {
  const [strongest] = baselines;
  if (!strongest || strongest.n < MIN_SHARE_COUNT) return '';
  const of = ({ accuracy, service_accuracy_on_same_rows: service }: typeof strongest.nights) =>
    leadText(service, accuracy, baselineNames[strongest.name]);
  const [whole, waking] = [of(strongest), of(strongest.waking_hours)];
  if (whole === null) return '';
  return `${sentenceCase(whole)}, the strongest simple forecast${waking === null ? '' : `; in waking hours ${waking}`}.`;
}

/** Fragments of this page, which other pages link to. */
const baselineIds = {
  same_hour_last_week: 'same-hour-last-week',
  persistence: 'persistence',
  naive: 'naive-baseline',
} as const;

const baselineTerm = (name: keyof typeof baselineIds): Html =>
  term(baselineIds[name].replaceAll('-', ' '), baselineLabels[name]);

const simpleNote = (name: keyof typeof baselineIds, n: number): string =>
  name === 'same_hour_last_week' ? `${ofN(n)}, where there is a reading` : 'on the same forecasts';

function confidentPart({ report }: AccuracyAnswers): Html {
  const { headline, baseline, filter, weighted_by_mqs, all_forecasts: all } = report;
  const n = headline.revealed_count;
  return html`
<h2 id="confident-forecasts">Confident forecasts</h2>
<p>The subset with a confidence of at least ${filter.min_confidence} and a ${term('completeness')} of at least ${filter.min_completeness}, of every kind of forecast.</p>
${facts([
  [
    'Came true',
    shareOfN(headline.overall_accuracy, n),
    n < MIN_SHARE_COUNT ? ofN(n) : `${ofN(n)}: ${partsText(report, percent, count)}`,
  ],
  ['Naive baseline', shareOfN(baseline.baseline_accuracy, n), 'on the same forecasts'],
  [term('MQS', 'Weighted by moment quality'), percent(weighted_by_mqs.accuracy), 'the same forecasts'],
  [term('inconclusive', 'Inconclusive'), count(headline.inconclusive_count), 'counted, never scored'],
  [
    'All kinds, any confidence',
    shareOfN(all.accuracy, all.n),
    `${ofN(all.n)}; Brier score ${brier(all.brier_score)}`,
  ],
])}`;
}

/** Links that change one choice and keep the others. */
function optionLinks(
  label: string,
  asked: AccuracyAnswers['asked'],
  name: 'since' | 'by',
  options: Record<string, string>,
  fragment = '',
): Html {
  const address = (value: string) =>
    `/accuracy?${new URLSearchParams({ ...asked, [name]: value })}${fragment}`;
  return html`
<nav class="choices" aria-label="${label}"><ul class="links">${Object.entries(options).map(
    ([value, words]) =>
      html`<li><a href="${address(value)}"${value === asked[name] ? html` aria-current="true"` : null}>${sentenceCase(words)}</a></li>`,
  )}</ul></nav>`;
}

function downloads({ asked, history }: AccuracyAnswers): Html {
  const pocket = asked.pocket_id === undefined ? '' : `&pocket=${asked.pocket_id}`;
  const reportPocket = asked.pocket_id === undefined ? '' : `&pocket_id=${asked.pocket_id}`;
  const rows = `/api/predictions?since=${asked.since}&revealed=only${pocket}`;
  const periods = `/api/accuracy-periods?period=${asked.by}&count=${history.periods.length}${pocket}`;
  return html`
<h2 id="question">Question these figures</h2>
<ul>
<li>Every forecast behind them, with its outcome and its score: <a href="${rows}&amp;format=csv">CSV</a> · <a href="${rows}">JSON</a> · <a href="/ledger?type=prediction${asked.pocket_id === undefined ? '' : `&pocket_id=${asked.pocket_id}`}#entries">in the ledger</a>, each with its proof</li>
<li>The figures over time: <a href="${periods}&amp;format=csv">CSV</a> · <a href="${periods}">JSON</a></li>
<li>The whole report: <a href="/api/accuracy?since=${asked.since}${reportPocket}">JSON</a></li>
<li>What each column means: <a href="#dictionary">the data dictionary</a>; each field of the JSON: API docs of <a href="/docs/api/predictions">forecasts</a>, <a href="/docs/api/accuracy-periods">figures over time</a> and <a href="/docs/api/accuracy">the report</a></li>
<li>Another system that forecasts better: <a href="/benchmark">the benchmark</a></li>
</ul>`;
}
