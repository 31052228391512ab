import { linesJudged, silencesJudged } from '../../../domain/verdict/decision-cells.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { listStatesOfRestraint } from '../../../operations/report/list-states-of-restraint.ts';
import { listWeeklyReports } from '../../../operations/report/list-weekly-reports.ts';
import { count, percent, scalar } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketLink, pocketName } from '../../parts/links.ts';
import { judgedShareText } from '../../parts/outcome.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { stateWords } from '../../parts/place-words.ts';
import { POCKETS_PER_PAGE, pageOfPockets, pocketPageInput, pocketPager } from '../../parts/pocket-pages.ts';
import { figureColumns, table } from '../../parts/table.ts';
import type { Week } from './weekly.ts';

export const reportsQuestion = composeOperations('page_reports', pocketPageInput, () => ({
  weekly: bindArguments(listWeeklyReports, { limit: 1, first: POCKETS_PER_PAGE }),
  restraint: bindArguments(listStatesOfRestraint),
}));

type Answers = AnswerOf<typeof reportsQuestion>;

export function reportsPage(site: Site, { weekly, restraint, asked }: Answers): string {
  const ids = site.registry.pockets.map(({ id }) => id);
  const listed = pageOfPockets(site, ids, (id) => id, asked);
  return renderPage(site, {
    title: 'Reports',
    about: 'Weekly and monthly reports of the pockets, and of how often the service stayed silent.',
    path: '/reports',
    body: html`
<h1>Reports</h1>
<p class="lead">A report on the week of each pocket every Monday at 09:00 ${site.zone.generalName}, and on the month of each pocket and of all pockets together on the 1st. Reports are never changed afterwards.</p>
<h2 id="restraint"><a href="/reports/restraint">State of restraint</a></h2>
${restraintList(restraint.reports)}
<h2 id="weekly">Weekly reports${weekly.reports[0] ? html`, ${weekly.reports[0].week_iso}` : null}</h2>
${weekly.reports.length ? weekTable(site, weekly.reports) : html`<p>No report yet: the first is written on the next Monday.</p>`}
<h2 id="pockets">Reports of each pocket</h2>
${pocketPager(site, '/reports', 'pockets', asked, listed)}
<ul class="plain entries">${listed.rows.map((id) => html`<li>${pocketName(site, id)}: <a href="/reports/weekly/${id}">the last week</a>, <a href="/reports/pocket/${id}">the last month</a></li>\n`)}</ul>
<p class="note">JSON: <a href="/api/reports/weekly">weekly reports</a> · <a href="/api/state-of-restraint">state of restraint</a></p>`,
  });
}

const restraintList = (reports: Answers['restraint']['reports']): Html =>
  reports.length
    ? table(
        'State of restraint, month by month',
        [
          'Month',
          ...figureColumns(
            'Waking time with a line live',
            'Lines said',
            'Silences',
            'Lines served',
            'Silence was right',
            'State forecasts came true',
            'In waking hours',
            'Same hour last week',
            'Naive baseline',
          ),
        ],
        reports.map(({ month_iso, metrics }) => ({
          cells: [
            html`<a href="/reports/restraint/${month_iso}">${month_iso}</a>`,
            percent(metrics.waking_time.share_said),
            count(metrics.signals_emitted_count),
            count(metrics.signals_withheld_count),
            judgedShareText(linesJudged(metrics.decisions_judged)),
            judgedShareText(silencesJudged(metrics.decisions_judged)),
            percent(metrics.state_forecasts.accuracy),
            percent(metrics.state_forecasts.waking_hours.accuracy),
            percent(metrics.baselines.find(({ name }) => name === 'same_hour_last_week')?.accuracy ?? null),
            percent(metrics.state_forecasts.baseline),
          ],
        })),
      )
    : html`<p>No report yet: the first is written on the 1st, for the month before.</p>`;

const weekTable = (site: Site, reports: readonly Week[]): Html =>
  table(
    'Weekly reports',
    [
      'Pocket',
      'Most often',
      ...figureColumns('Calm level', 'Quiet windows'),
      { name: 'What sets it apart', text: true },
      { name: 'More', unseen: true },
    ],
    reports.map(({ pocket_id, week_iso, metrics, sets_apart }) => ({
      cells: [
        pocketLink(site, pocket_id),
        stateWords[metrics.atmosphere_score.primary_state],
        scalar(metrics.atmosphere_score.calm),
        count(metrics.quiet_window_score.count),
        sets_apart[0]
          ? html`<span class="words">${sets_apart[0].text}</span>`
          : 'No difference larger than chance',
        html`<a href="/reports/weekly/${pocket_id}/${week_iso}">Report</a>`,
      ],
    })),
  );
