import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound } from '../../../operations/core/define.ts';
import { monthIso, pocketId } from '../../../operations/core/fields.ts';
import { getStateOfPocket } from '../../../operations/report/get-state-of-pocket.ts';
import { listStatesOfPocket } from '../../../operations/report/list-states-of-pocket.ts';
import { count, ofN, rangeText, scalar } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketName } from '../../parts/links.ts';
import { cellsFacts } from '../../parts/outcome.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { otherPeriods } from '../../parts/periods.ts';
import { facts } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { dateTime } from '../../parts/times.ts';
import { differencesSection } from './differences.ts';

type Month = NonNullable<AnswerOf<typeof getStateOfPocket>['report']>;

const parts = (asked: { pocket_id: string; month_iso?: string }) => ({
  month: bindArguments(getStateOfPocket, asked),
  months: bindArguments(listStatesOfPocket, { pocket_id: asked.pocket_id, limit: 24 }),
});

export const latestMonthQuestion = composeOperations('page_latest_month', { pocket_id: pocketId }, parts);
export const monthQuestion = composeOperations(
  'page_month',
  { pocket_id: pocketId, month_iso: monthIso },
  parts,
);

type Answers = AnswerOf<typeof latestMonthQuestion> | AnswerOf<typeof monthQuestion>;

export function monthPage(site: Site, { month, months, ...answers }: Answers): string {
  const asked: { pocket_id: string; month_iso?: string } = answers.asked;
  const { pocket_id, month_iso } = asked;
  const { report } = month;
  if (!report && month_iso) throw new NotFound(`no report of ${pocket_id} for ${month_iso}`);
  const name = pocketName(site, pocket_id);
  return renderPage(site, {
    title: report ? `${name}, ${month.month_iso}` : `${name}, month by month`,
    about: `The state of ${name}, month by month.`,
    path: `/reports/pocket/${pocket_id}${month_iso ? `/${month_iso}` : ''}`,
    body: html`
<p class="crumb"><a href="/reports">Reports</a> / <a href="/pocket/${pocket_id}">${name}</a></p>
<h1>State of ${name}${report ? `, ${month.month_iso}` : ''}</h1>
${report ? monthBody(site, report) : html`<p class="lead">No report yet: one is written on the 1st, for the month before.</p>`}
${otherPeriods(
  'Other months',
  `/reports/pocket/${pocket_id}`,
  month.month_iso ?? undefined,
  months.reports.map((other) => other.month_iso),
)}
<p class="note"><a href="/reports/weekly/${pocket_id}">Week by week</a> · <a href="/api/state-of-pocket?pocket=${pocket_id}">JSON</a></p>`,
  });
}

function monthBody(site: Site, month: Month): Html {
  const { observations: seen, narrative, composed_at, readings, decisions_judged } = month;
  return html`
<blockquote>${narrative}</blockquote>
<p class="note">Written ${dateTime(composed_at, site.zone)} from ${count(readings)} ${term('reading', 'readings')}.</p>
${
  seen
    ? html`${differencesSection(seen.sets_apart, seen.compared_with)}
<h2 id="figures">The month in figures</h2>
<p class="note">For the ${term('waking hours')}, 07:00 to 23:00.</p>
${facts([
  [
    'Steadiest day',
    sentenceCase(seen.most_stable_day?.day ?? 'not known'),
    seen.most_stable_day
      ? `calm varied by ${seen.most_stable_day.deviation.toFixed(3)} in an hour, by ${seen.most_stable_day.network_deviation.toFixed(3)} in other pockets`
      : null,
  ],
  [
    'Calmest compared with other pockets',
    sentenceCase(rangeText(seen.strongest_calm_window?.label ?? 'not known')),
    seen.strongest_calm_window
      ? `calm level ${scalar(seen.strongest_calm_window.calm)} against ${scalar(seen.strongest_calm_window.network_calm)} in other pockets`
      : null,
  ],
  [
    'Most comfortable in',
    sentenceCase(seen.strongest_comfort?.signal ?? 'not known'),
    seen.strongest_comfort
      ? `comfort ${scalar(seen.strongest_comfort.comfort)} against ${scalar(seen.strongest_comfort.network_comfort)} on average`
      : null,
  ],
  ['Unusual readings', count(seen.anomaly_count), ofN(readings)],
])}`
    : null
}
<h2 id="decisions">Spoke or silent, right or wrong</h2>
${facts(cellsFacts(decisions_judged))}`;
}
