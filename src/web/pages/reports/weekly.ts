import { hourLabel } from '../../../domain/time/periods.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound } from '../../../operations/core/define.ts';
import { pocketId, weekIso } from '../../../operations/core/fields.ts';
import { getWeeklyReport } from '../../../operations/report/get-weekly-report.ts';
import { listWeeklyReports } from '../../../operations/report/list-weekly-reports.ts';
import { count, ofN, percent, scalar, spacedName } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketName } from '../../parts/links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { otherPeriods } from '../../parts/periods.ts';
import { facts, table } from '../../parts/table.ts';
import { dateTime } from '../../parts/times.ts';
import { differencesSection } from './differences.ts';

export type Week = AnswerOf<typeof listWeeklyReports>['reports'][number];

const parts = (asked: { pocket_id: string; week_iso?: string }) => ({
  week: bindArguments(getWeeklyReport, asked),
  weeks: bindArguments(listWeeklyReports, { pocket_id: asked.pocket_id, limit: 26 }),
});

export const latestWeekQuestion = composeOperations('page_latest_week', { pocket_id: pocketId }, parts);
export const weekQuestion = composeOperations('page_week', { pocket_id: pocketId, week_iso: weekIso }, parts);

type Answers = AnswerOf<typeof latestWeekQuestion> | AnswerOf<typeof weekQuestion>;

export function weekPage(site: Site, answers: Answers): string {
  const {
    week: { report },
    weeks,
  } = answers;
  const asked: { pocket_id: string; week_iso?: string } = answers.asked;
  const { pocket_id, week_iso } = asked;
  if (!report && week_iso) throw new NotFound(`no report of ${pocket_id} for ${week_iso}`);
  const name = pocketName(site, pocket_id);
  return renderPage(site, {
    title: report ? `${name}, ${report.week_iso}` : `${name}, weekly`,
    about: `the weekly report of ${name}.`,
    path: `/reports/weekly/${pocket_id}${week_iso ? `/${week_iso}` : ''}`,
    body: html`
<p class="crumb"><a href="/reports">reports</a> / <a href="/pocket/${pocket_id}">${name}</a></p>
<h1>${name}${report ? `, week ${report.week_iso}` : ', week by week'}</h1>
${report ? weekBody(site, report) : html`<p class="lead">no week has been reported yet: one is composed on mondays at 09:00 ${site.zone.generalName} of the week that ended.</p>`}
${otherPeriods(
  'other weeks',
  `/reports/weekly/${pocket_id}`,
  report?.week_iso,
  weeks.reports.map((other) => other.week_iso),
)}
<p class="note"><a href="/reports/pocket/${pocket_id}">month by month</a> · <a href="/api/reports/weekly?pocket=${pocket_id}">for machines</a></p>`,
  });
}

function weekBody(site: Site, report: Week): Html {
  const { metrics, basis, sets_apart, compared_with, narrative, composed_at } = report;
  const { atmosphere_score: felt, quiet_window_score: quiet, attention_saturation: attention } = metrics;
  return html`
<p class="words">${narrative}</p>
<p class="note">composed ${dateTime(composed_at, site.zone)} from ${ofN(basis.readings)} readings between 07:00 and 23:00.</p>
${differencesSection(sets_apart, compared_with)}
<h2 id="figures">the week in figures</h2>
${facts([
  ['mostly', felt.primary_state],
  ['calm level', scalar(felt.calm), 'on average'],
  ['stress', scalar(felt.stress), 'on average'],
  ['productive', scalar(felt.productive), 'on average'],
  ['social', scalar(felt.social), 'on average'],
  [
    'quiet windows',
    count(quiet.count),
    quiet.longest_minutes === null ? 'none' : `the longest ${quiet.longest_minutes} min`,
  ],
  ['calm in the rain', percent(metrics.rain_comfort_alignment), ofN(basis.rainy_readings)],
  ['attention taken', scalar(attention.saturation), ofN(basis.moments)],
  ['moments mostly', attention.mqs_band ? spacedName(attention.mqs_band) : 'not known'],
])}
<h2 id="stable">the steadiest hours</h2>
<p class="note">calm varied least there, as a share of how much it varied in other pockets in the same hour. hours at the end of the scale are left out.</p>
${
  metrics.stable_periods.length
    ? table(
        'the steadiest hours',
        [
          { name: 'day' },
          { name: 'hour' },
          { name: 'calm level', figures: true },
          { name: 'deviation', figures: true },
          { name: 'in other pockets', figures: true },
        ],
        metrics.stable_periods.map(({ day, hour, calm, deviation, network_deviation }) => ({
          cells: [
            day,
            hourLabel(hour),
            scalar(calm),
            deviation.toFixed(3),
            network_deviation?.toFixed(3) ?? 'not known',
          ],
        })),
      )
    : html`<p>too little was read for any.</p>`
}`;
}
