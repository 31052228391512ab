import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { listStatesOfRestraint } from '../../../operations/report/list-states-of-restraint.ts';
import { listWeeklyReports } from '../../../operations/report/list-weekly-reports.ts';
import { count, percent, scalar } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketLink, pocketName } from '../../parts/links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { table } from '../../parts/table.ts';
import type { Week } from './weekly.ts';

export const reportsQuestion = composeOperations('page_reports', {}, () => ({
  weekly: bindArguments(listWeeklyReports, { limit: 1 }),
  restraint: bindArguments(listStatesOfRestraint),
}));

type Answers = AnswerOf<typeof reportsQuestion>;

export const reportsPage = (site: Site, { weekly, restraint }: Answers): string =>
  renderPage(site, {
    title: 'reports',
    about: 'weekly and monthly reports of the pockets, and of restraint.',
    path: '/reports',
    body: html`
<h1>reports</h1>
<p class="lead">a week of each pocket every monday at 09:00 ${site.zone.generalName}, and a month of each pocket and of the whole network on the 1st. none is changed afterwards.</p>
<h2 id="restraint"><a href="/reports/restraint">the state of restraint</a></h2>
${restraintList(restraint.reports)}
<h2 id="weekly">the week${weekly.reports[0] ? html`, ${weekly.reports[0].week_iso}` : null}</h2>
${weekList(site, weekly.reports)}
<h2 id="monthly">the state of a pocket</h2>
<ul class="links">${site.registry.pockets.map(({ id }) => html`<li><a href="/reports/pocket/${id}">${pocketName(site, id)}</a></li>`)}</ul>
<p class="note"><a href="/api/reports/weekly">weekly</a> · <a href="/api/state-of-restraint">restraint</a>, for machines</p>`,
  });

const restraintList = (reports: Answers['restraint']['reports']): Html =>
  reports.length
    ? table(
        'monthly reports of restraint',
        [
          { name: 'month' },
          { name: 'said', figures: true },
          { name: 'held back', figures: true },
          { name: 'silence was right', figures: true },
          { name: 'state forecasts came true', figures: true },
          { name: 'naive baseline', figures: true },
        ],
        reports.map(({ month_iso, metrics }) => ({
          cells: [
            html`<a href="/reports/restraint/${month_iso}">${month_iso}</a>`,
            count(metrics.signals_emitted_count),
            count(metrics.signals_withheld_count),
            percent(metrics.silence_correctness_rate),
            percent(metrics.state_forecasts.accuracy),
            percent(metrics.state_forecasts.baseline),
          ],
        })),
      )
    : html`<p>none has been composed yet: the first comes on the 1st for the month before.</p>`;

function weekList(site: Site, reports: readonly Week[]): Html {
  if (!reports.length)
    return html`<p>none has been composed yet: the first comes on the next monday.</p><ul class="links">${site.registry.pockets.map(({ id, name }) => html`<li><a href="/reports/weekly/${id}">${name}</a></li>`)}</ul>`;
  return table(
    'weekly reports',
    [
      { name: 'pocket' },
      { name: 'mostly' },
      { name: 'calm level', figures: true },
      { name: 'quiet windows', figures: true },
      { name: 'what sets it apart', text: true },
      { name: 'more', unseen: true },
    ],
    reports.map(({ pocket_id, week_iso, metrics, sets_apart }) => ({
      cells: [
        pocketLink(site, pocket_id),
        metrics.atmosphere_score.primary_state,
        scalar(metrics.atmosphere_score.calm),
        count(metrics.quiet_window_score.count),
        sets_apart[0]?.text ?? 'nothing larger than chance explains',
        html`<a href="/reports/weekly/${pocket_id}/${week_iso}">the week</a>`,
      ],
    })),
  );
}
