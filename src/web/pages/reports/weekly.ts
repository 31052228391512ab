import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { hourLabel } from '../../../domain/time/periods.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound } from '../../../operations/core/define.ts';
import { pocketId, weekIso } from '../../../operations/core/fields.ts';
import { getWeeklyReport } from '../../../operations/report/get-weekly-report.ts';
import { listWeeklyReports } from '../../../operations/report/list-weekly-reports.ts';
import { count, duration, ofN, percent, rangeText, scalar, spacedName } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketName } from '../../parts/links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { otherPeriods } from '../../parts/periods.ts';
import { stateWords } from '../../parts/place-words.ts';
import { facts, figureColumns, table } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
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
    title: report ? `${name}, ${report.week_iso}` : `${name}, week by week`,
    about: `The weekly report of ${name}.`,
    path: `/reports/weekly/${pocket_id}${week_iso ? `/${week_iso}` : ''}`,
    body: html`
<p class="crumb"><a href="/reports">Reports</a> / <a href="/pocket/${pocket_id}">${name}</a></p>
<h1>${name}${report ? `, week ${report.week_iso}` : ', week by week'}</h1>
${report ? weekBody(site, report) : html`<p class="lead">No report yet: one is written on Mondays at 09:00 ${site.zone.generalName}, for the week that has just ended.</p>`}
${otherPeriods(
  'Other weeks',
  `/reports/weekly/${pocket_id}`,
  report?.week_iso,
  weeks.reports.map((other) => other.week_iso),
)}
<p class="note"><a href="/reports/pocket/${pocket_id}">Month by month</a> · <a href="/api/reports/weekly?pocket=${pocket_id}">JSON</a></p>`,
  });
}

function weekBody(site: Site, report: Week): Html {
  const { metrics, basis, holidays, sets_apart, compared_with, narrative, composed_at } = report;
  const { atmosphere_score: felt, quiet_window_score: quiet, attention_saturation: attention } = metrics;
  return html`
<blockquote>${narrative}</blockquote>
<p class="note">Written ${dateTime(composed_at, site.zone)} from ${count(basis.readings)} ${term('reading', 'readings')} between 07:00 and 23:00.${holidays.map(({ day, name }) => ` ${sentenceCase(day)} was a public holiday: ${name}.`)}</p>
${differencesSection(sets_apart, compared_with)}
<h2 id="figures">The week in figures</h2>
${facts([
  [term('primary state', 'Most often'), felt.primary_state && stateWords[felt.primary_state]],
  [term('calm level', 'Calm level'), scalar(felt.calm), 'on average'],
  [term('stress', 'Stress'), scalar(felt.stress), 'on average'],
  [term('productive', 'Productive'), scalar(felt.productive), 'on average'],
  [term('social energy', 'Social energy'), scalar(felt.social), 'on average'],
  [
    term('quiet window', 'Quiet windows'),
    count(quiet.count),
    quiet.longest_minutes === null ? 'none' : `the longest ${duration(quiet.longest_minutes)}`,
  ],
  ['Calm in the rain', percent(metrics.rain_comfort_alignment), ofN(basis.rainy_readings)],
  [term('attention budget', 'Attention budget used'), percent(attention.saturation), ofN(basis.moments)],
  [
    term('MQS', 'Moment quality, most often'),
    attention.mqs_band ? spacedName(attention.mqs_band) : 'not known',
  ],
])}
<h2 id="stable">The steadiest hours</h2>
<p class="note">The hours in which calm varied least, compared with how much it varied in other pockets in the same hour. Hours at an end of the scale are left out.</p>
${
  metrics.stable_periods.length
    ? table(
        'The steadiest hours',
        ['Day', 'Hour', ...figureColumns('Calm level', 'Deviation', 'In other pockets')],
        metrics.stable_periods.map(({ day, hour, calm, deviation, network_deviation }) => ({
          cells: [
            sentenceCase(day),
            rangeText(hourLabel(hour)),
            scalar(calm),
            deviation.toFixed(3),
            network_deviation?.toFixed(3) ?? 'not known',
          ],
        })),
      )
    : html`<p>There were too few readings to tell.</p>`
}`;
}
