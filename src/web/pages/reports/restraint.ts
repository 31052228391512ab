import { comparisonText, leadText, partsText, splitText } from '../../../domain/prediction/accuracy-text.ts';
import { wakingTimeText } from '../../../domain/stats/waking-time.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { cellsText } from '../../../domain/verdict/decision-cells.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound } from '../../../operations/core/define.ts';
import { monthIso } from '../../../operations/core/fields.ts';
import { getStateOfRestraint } from '../../../operations/report/get-state-of-restraint.ts';
import { listStatesOfRestraint } from '../../../operations/report/list-states-of-restraint.ts';
import { count, ofN, percent, wakingTimeFact } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketLink } from '../../parts/links.ts';
import { cellsFacts, cellsTable } from '../../parts/outcome.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { otherPeriods } from '../../parts/periods.ts';
import { pageOfPockets, pocketPageInput, pocketPager } from '../../parts/pocket-pages.ts';
import { facts } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { dateTime } from '../../parts/times.ts';
import { baselineLabels } from '../accuracy/tables.ts';

const parts = ({ month_iso }: { month_iso?: string }) => ({
  month: bindArguments(getStateOfRestraint, month_iso === undefined ? {} : { month_iso }),
  months: bindArguments(listStatesOfRestraint, { limit: 60 }),
});

export const latestRestraintQuestion = composeOperations('page_latest_restraint', pocketPageInput, () =>
  parts({}),
);
export const restraintQuestion = composeOperations(
  'page_restraint',
  { month_iso: monthIso, ...pocketPageInput },
  parts,
);

type Answers = AnswerOf<typeof latestRestraintQuestion> | AnswerOf<typeof restraintQuestion>;
type Asked = AnswerOf<typeof latestRestraintQuestion>['asked'] & { month_iso?: string };
type Month = Exclude<Answers['month'], { available: false }>;

export function restraintPage(site: Site, { month, months, ...answers }: Answers): string {
  const asked: Asked = answers.asked;
  const path = `/reports/restraint${asked.month_iso ? `/${asked.month_iso}` : ''}`;
  const report = 'available' in month ? null : month;
  if (!report && asked.month_iso) throw new NotFound(`no report of restraint for ${asked.month_iso}`);
  return renderPage(site, {
    title: report ? `State of restraint, ${report.month_iso}` : 'State of restraint',
    about:
      'For how much of the waking time of a month a line was live, how often the service stayed silent, and how often that was right.',
    path,
    body: html`
<p class="crumb"><a href="/reports">Reports</a></p>
<h1>State of restraint${report ? `, ${report.month_iso}` : ''}</h1>
${report ? html`${monthBody(site, report)}${decisions(site, report, asked, path)}` : html`<p class="lead">No report yet: one is written on the 1st, for the month before.</p>`}
${otherPeriods(
  'Other months',
  '/reports/restraint',
  report?.month_iso,
  months.reports.map((other) => other.month_iso),
)}
<p class="note"><a href="/silence">Silence now</a> · <a href="/api/state-of-restraint">JSON</a></p>`,
  });
}

const monthBody = (site: Site, report: Month): Html => html`
<p class="lead">${sentenceCase(wakingTimeText(report.waking_time))}, summed over pockets.</p>
<p>Forecasts: ${splitText(report.all_forecasts, percent, count)}.</p>
<p class="note">Written ${dateTime(report.composed_at, site.zone)}.</p>
${facts([
  wakingTimeFact(report.waking_time),
  ['Lines said', count(report.signals_emitted_count)],
  [
    term('silence', 'Silences'),
    count(report.signals_withheld_count),
    `${count(report.counterfactual_count)} sealed with the line that was not said`,
  ],
  ['Line still live', count(report.already_speaking_count), 'quarter hours, not counted as silences'],
  ['Quiet hours', count(report.quiet_hours_count), 'from 23:00 to 07:00, not counted as silences'],
  ...cellsFacts(report.decisions_judged),
  [
    term('attention minutes', 'Attention preserved'),
    `${count(Math.round(report.attention_minutes_preserved / 60))} h`,
    'estimated',
  ],
  [
    term('state forecast', 'State forecasts came true'),
    percent(report.state_forecasts.accuracy),
    [ofN(report.state_forecasts.n), partsText(report.state_forecasts, percent, count)]
      .filter((text) => text !== null)
      .join(': '),
  ],
  ...baselineFacts(report.baselines),
  [
    term('confident forecast', 'Confident forecasts came true'),
    percent(report.accuracy),
    leadText(report.accuracy, report.naive_baseline_accuracy, 'the naive baseline'),
  ],
  [
    term('naive baseline', 'Naive baseline'),
    percent(report.naive_baseline_accuracy),
    'on the confident ones',
  ],
])}
<div class="columns">
<section class="card" aria-labelledby="failure"><h2 id="failure">What went worst</h2>${quoteLine(report.narrative_top_failure)}</section>
<section class="card" aria-labelledby="success"><h2 id="success">What went best</h2>${quoteLine(report.narrative_top_success)}</section>
</div>`;

function decisions(site: Site, { decisions_judged, per_pocket }: Month, asked: Asked, path: string): Html {
  const listed = pageOfPockets(site, per_pocket, ({ pocket_id }) => pocket_id, asked);
  return html`
<h2 id="decisions">Spoke or silent, right or wrong</h2>
<p>Lines and silences by their ${term('verdict')}: ${cellsText(decisions_judged)}.</p>
${pocketPager(site, path, 'decisions', asked, listed)}
${cellsTable('Verdicts on decisions by pocket', 'Pocket', [
  { name: 'All pockets', cells: decisions_judged },
  ...listed.rows.map((row) => ({ name: pocketLink(site, row.pocket_id), cells: row.decisions_judged })),
])}`;
}

/** A composed line, or what the page says where there is none. */
const quoteLine = (line: string | null): Html =>
  line === null ? html`<p>Nothing was judged.</p>` : html`<blockquote>${line}</blockquote>`;

/** Each simple forecast beside the service on the same forecasts, the strongest first. */
const baselineFacts = (baselines: Month['baselines']) =>
  baselines.flatMap((row) => {
    const text = comparisonText([row], percent, count);
    return text === null ? [] : [[baselineLabels[row.name], percent(row.accuracy), text] as const];
  });
