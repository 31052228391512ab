// The page of one outlet: whether it is open, its usual week, its quiet windows, and what a proposal looks like.
import { openingDayAt } from '../../../domain/merchant/patterns/opening-day.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { openingHours } from '../../../domain/time/opening-hours.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { getDealProposal } from '../../../operations/merchant/get-deal-proposal.ts';
import { getObservedPatterns } from '../../../operations/merchant/get-observed-patterns.ts';
import { getOutletWeek } from '../../../operations/merchant/get-outlet-week.ts';
import { outletId } from '../../../operations/merchant/outlet.ts';
import { type HeatCell, heatLevel, heatMap } from '../../charts/heat-map.ts';
import { ofN, plural, wholePercent } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketLink } from '../../parts/links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { term } from '../../parts/terms.ts';
import { clockTime, dateOnly, formatDate } from '../../parts/times.ts';
import { backtestForm } from './backtest.ts';
import { proposalPart } from './proposal.ts';

export const outletQuestion = composeOperations('page_outlet', { outlet_id: outletId }, ({ outlet_id }) => ({
  profile: bindArguments(getObservedPatterns, { outlet_id }),
  week: bindArguments(getOutletWeek, { outlet_id }),
  deal: bindArguments(getDealProposal, { outlet_id }),
}));

type Answers = AnswerOf<typeof outletQuestion>;
type Pattern = Answers['profile']['patterns'][number];

export function outletPage(site: Site, { profile, week, deal }: Answers): string {
  const { outlet, patterns, decision_support } = profile;
  const { id } = outlet;
  const place = pocketLink(site, outlet.pocket_id);
  return renderPage(site, {
    title: outlet.name,
    about: `${outlet.name}: whether it is open now, how its week runs, and when it is quiet.`,
    path: `/outlet/${id}`,
    live: true,
    body: html`
<p class="crumb"><a href="/outlets">Outlets</a> / ${place}</p>
<h1>${outlet.name}</h1>
<p class="lead">${sentenceCase(outlet.category)} in ${place}, ${outlet.unit}.</p>
${openingCard(site, profile, week)}
<h2 id="week">The usual week</h2>
${weekMap(site, profile, week)}
<h2 id="quiet">Quiet windows</h2>
${quietWindows(patterns)}
<h2 id="patterns">Other patterns</h2>
${otherPatterns(patterns)}
<div data-now><h2 id="pocket">The pocket around it</h2>
${
  decision_support.length
    ? html`<ul class="outlook voice">${decision_support.map((line) => html`<li>${line}</li>`)}</ul>`
    : html`<p>Too little is known about the pocket as a whole: nothing that rests on fewer than five is shown.</p>`
}
<h2 id="proposal">What a proposal looks like</h2>
${proposalPart(site, deal, week)}</div>
<h2 id="backtest">Backtest</h2>
<p>What would have been said for this outlet in the past weeks, and what might it have been worth? The ${term('backtest')} decides each past quarter hour again, by the rules of the service. It is a simulation: nobody is notified.</p>
${backtestForm(id, 30)}
<p class="note">JSON: <a href="/api/outlet-week?outlet=${id}">week</a>, <a href="/api/observed-patterns?id=${id}">patterns</a>, <a href="/api/deal-proposal?outlet=${id}">proposal</a></p>`,
  });
}

function openingCard(
  { zone }: Site,
  { outlet }: Answers['profile'],
  { open_now, changes_at, as_of }: Answers['week'],
): Html {
  const change =
    changes_at === null
      ? html`It never closes.`
      : html`${open_now ? 'Closes' : 'Opens'} at ${clockTime(changes_at, zone)}${zone.localDate(Date.parse(changes_at)) === zone.localDate(Date.parse(as_of)) ? null : ' tomorrow'}.`;
  return html`<section class="card" aria-label="Opening hours">
<p class="state-line" data-now><span class="sign${open_now ? ' open' : ''}">${open_now ? 'Open now' : 'Closed now'}</span></p>
<p><span data-now>${change} </span>Every day ${outlet.opens_at} to ${outlet.closes_at} ${zone.generalName}, by its stated hours.</p>
<p class="note">As of ${clockTime(as_of, zone)}.</p>
</section>`;
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const clockOfHour = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;

/** The hours are in the order in which they follow the opening, those after midnight last. */
function weekMap({ zone }: Site, { outlet }: Answers['profile'], week: Answers['week']): Html {
  const { hours, observed_from, as_of, open_now } = week;
  if (observed_from === null)
    return html`<p>Nothing was counted here while it was open, so its week is not known yet.</p>`;
  const now = openingDayAt(Date.parse(as_of), openingHours(outlet).opens, zone);
  const useCell = ({ weekday, hour, use }: (typeof hours)[number]): HeatCell => ({
    ...(use === null
      ? { level: null, text: '–', words: 'not known' }
      : { level: heatLevel(use), text: wholePercent(use) }),
    marked: open_now && now.day === weekday && now.hour === hour,
  });
  return html`<p>How much of its room is in use, as a mean of the last ${week.days} days, counted since ${dateOnly(observed_from, zone)}. Only hours in which it was open count.${open_now ? ' The present hour is outlined.' : null}</p>
${heatMap({
  caption: 'Share of its room in use, by hour and day of the week',
  corner: 'From',
  columns: days.map((day) => day.slice(0, 3)),
  rows: [...Map.groupBy(hours, ({ hour }) => hour)].map(([hour, cells]) => ({
    label: clockOfHour(hour),
    cells: cells.map(useCell),
  })),
  scale: 'use',
  keys: [
    [0, 'under 20\u00a0%'],
    [1, '20 to 39\u00a0%'],
    [2, '40 to 59\u00a0%'],
    [3, '60 to 79\u00a0%'],
    [4, '80\u00a0% or more'],
  ],
})}
<p class="note">Times are ${zone.generalName}. A dash means fewer than five counts.${hours.some(({ hour }) => hour >= 24) ? ' Hours after midnight belong to the day on which it opened.' : null}</p>`;
}

const quietWindows = (patterns: readonly Pattern[]): Html => {
  const windows = patterns.flatMap(({ window, confidence }) => (window ? [{ ...window, confidence }] : []));
  if (!windows.length)
    return html`<p>No window was quiet often enough to name one. It takes two hours or more of a weekday that were at least 25\u00a0% under its own average, and under the same hours of other days, in three weeks or more.</p>`;
  return html`<ul class="plain entries quiet">${windows.map(
    ({ weekday, from, to, confidence, ...evidence }) =>
      html`<li><b>${days[weekday] ?? ''}s, ${from} to ${to}</b>
${wholePercent(evidence.under_other_days)} emptier than the same hours of other days, and ${wholePercent(evidence.under_own_mean)} emptier than its average.
<small>Quiet in ${evidence.weeks_quiet} of ${plural(evidence.weeks_seen, 'week')} since ${formatDate(evidence.since)}, ${ofN(evidence.n)} quarter hours, ${confidence} confidence.</small></li>\n`,
  )}</ul>`;
};

const kindNames: Record<Pattern['kind'], string> = {
  quiet_window: 'Quiet window',
  rain_sensitivity: 'Rain',
  dna_descriptor: 'Busiest part of the day',
  hours_overlap: 'Its hours and the pocket',
};

const otherPatterns = (patterns: readonly Pattern[]): Html => {
  const others = patterns.filter(({ kind }) => kind !== 'quiet_window');
  return others.length
    ? html`<ul class="plain entries">${others.map(
        ({ kind, text, confidence, basis }) =>
          html`<li><b>${kindNames[kind]}</b> <span class="voice">${text}</span> <small>${sentenceCase(confidence)} confidence: ${basis}.</small></li>\n`,
      )}</ul>`
    : html`<p>Not enough history for a pattern yet.</p>`;
};
