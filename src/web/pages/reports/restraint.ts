import { leadText, splitText } from '../../../domain/prediction/accuracy-text.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound } from '../../../operations/core/define.ts';
import { monthIso } from '../../../operations/core/fields.ts';
import { getStateOfRestraint } from '../../../operations/report/get-state-of-restraint.ts';
import { listStatesOfRestraint } from '../../../operations/report/list-states-of-restraint.ts';
import { count, ofN, percent } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { otherPeriods } from '../../parts/periods.ts';
import { facts } from '../../parts/table.ts';
import { dateTime } from '../../parts/times.ts';

const parts = (asked: { month_iso?: string }) => ({
  month: bindArguments(getStateOfRestraint, asked),
  months: bindArguments(listStatesOfRestraint, { limit: 60 }),
});

export const latestRestraintQuestion = composeOperations('page_latest_restraint', {}, parts);
export const restraintQuestion = composeOperations('page_restraint', { month_iso: monthIso }, parts);

type Answers = AnswerOf<typeof latestRestraintQuestion> | AnswerOf<typeof restraintQuestion>;
type Month = Exclude<Answers['month'], { available: false }>;

export function restraintPage(site: Site, { month, months, ...answers }: Answers): string {
  const asked: { month_iso?: string } = answers.asked;
  const report = 'available' in month ? null : month;
  if (!report && asked.month_iso) throw new NotFound(`no report of restraint for ${asked.month_iso}`);
  return renderPage(site, {
    title: report ? `restraint, ${report.month_iso}` : 'restraint',
    about: 'how often the service spoke in a month, how often it held back, and how often that was right.',
    path: `/reports/restraint${asked.month_iso ? `/${asked.month_iso}` : ''}`,
    body: html`
<p class="crumb"><a href="/reports">reports</a></p>
<h1>the state of restraint${report ? `, ${report.month_iso}` : ''}</h1>
${report ? monthBody(site, report) : html`<p class="lead">no month has been reported yet: one is composed on the 1st for the month before.</p>`}
${otherPeriods(
  'other months',
  '/reports/restraint',
  report?.month_iso,
  months.reports.map((other) => other.month_iso),
)}
<p class="note"><a href="/silence">silence now</a> · <a href="/api/state-of-restraint">for machines</a></p>`,
  });
}

const monthBody = (site: Site, report: Month): Html => html`
<p class="lead">forecasts: ${splitText(report.all_forecasts, percent, count)}.</p>
<p class="note">composed ${dateTime(report.composed_at, site.zone)}.</p>
${facts([
  ['said', count(report.signals_emitted_count)],
  [
    'held back',
    count(report.signals_withheld_count),
    `${count(report.counterfactual_count)} with the line that was not said`,
  ],
  ['line still live', count(report.already_speaking_count), 'quarter hours, not counted as silences'],
  ['quiet hours', count(report.quiet_hours_count), 'from 23:00 to 07:00, not counted as silences'],
  ['silence was right', percent(report.silence_correctness_rate), 'of those judged, in waking hours'],
  ['attention kept', `${count(Math.round(report.attention_minutes_preserved / 60))} h`, 'estimated'],
  [
    'state forecasts came true',
    percent(report.state_forecasts.accuracy),
    `${ofN(report.state_forecasts.n)}; naive baseline ${percent(report.state_forecasts.baseline)}`,
  ],
  [
    'confident forecasts came true',
    percent(report.accuracy),
    leadText(report.accuracy, report.naive_baseline_accuracy, 'the naive baseline'),
  ],
  ['naive baseline', percent(report.naive_baseline_accuracy), 'on the confident ones'],
])}
<div class="columns">
<section class="card" aria-labelledby="failure"><h2 id="failure">what went worst</h2><p class="words">${report.narrative_top_failure ?? 'no silence was found wrong.'}</p></section>
<section class="card" aria-labelledby="success"><h2 id="success">what went best</h2><p class="words">${report.narrative_top_success ?? 'no silence was found right yet.'}</p></section>
</div>`;
