// One past day of a pocket, or today: its curve against the usual, what was said, what was not and why.
import { findPocket } from '../../../domain/city/lists/find-entries.ts';
import { plural } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { dayChart } from './day-chart.ts';
import { decisionList } from './decisions.ts';
import type { DayAnswer, PocketDayAnswers } from './question.ts';
import { signalCharts } from './signal-charts.ts';
import { clockSpan, dayName, sourceLine } from './words.ts';

export function pocketDayPage(site: Site, { asked, day, signals }: PocketDayAnswers): string {
  const { pocket_id, date } = asked;
  const pocket = findPocket(site.registry, pocket_id);
  const name = pocket?.name ?? pocket_id;
  const path = `/pocket/${pocket_id}/${date}`;
  const said = day.decisions.filter(({ kind }) => kind === 'emit').length;
  return renderPage(site, {
    title: `${name}, ${dayName(day.weekday, date)}`,
    about: `${name} on ${dayName(day.weekday, date)}: how calm it was, what was said, and what was not and why.`,
    path,
    body: html`
<p class="crumb"><a href="/">All pockets</a> / <a href="/pocket/${pocket_id}">${name}</a></p>
<h1>${name}, ${dayName(day.weekday, date)}</h1>
<p class="lead">${plural(day.reading_count, 'reading')}, ${said ? `${plural(said, 'message')} said` : 'nothing said'}.</p>
${dayLinks(pocket_id, day)}
<h2 id="curve">How calm it was</h2>
${day.readings.length ? dayChart(day, [], site.zone) : html`<p>Nothing was read on this day.</p>`}
${sourceLine(usuallyCalmText(day, site), `/api/pocket-date?pocket=${pocket_id}&date=${date}`)}
<h2 id="decisions">What was said, and what was not</h2>
${decisionList(day.decisions, site.zone)}
<h2 id="signals">Rain, temperature, people, traffic</h2>
${signalCharts(signals, `/api/pocket-signals?pocket=${pocket_id}&date=${date}`, site.zone)}
<p class="note"><a href="/pocket/${pocket_id}#calendar">Back to the calendar of ${name}</a></p>`,
  });
}

const dayLinks = (pocket: string, { previous_date, next_date }: DayAnswer): Html =>
  html`<ul class="links">${[[previous_date, 'Day before'] as const, [next_date, 'Day after'] as const].map(
    ([date, text]) => date && html`<li><a href="/pocket/${pocket}/${date}">${text}</a></li>`,
  )}</ul>`;

/** The hours in which the pocket is usually calm on this weekday. */
function usuallyCalmText({ usually_calm, usual, weekday }: DayAnswer, { zone }: Site): string {
  const day = `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)}`;
  if (usually_calm.length)
    return `Usually calm on a ${day}: ${usually_calm.map(({ from, to }) => clockSpan(from, to, zone)).join(', ')}.`;
  return usual.some(({ calm }) => calm !== null)
    ? `Not usually calm at any hour of a ${day}.`
    : 'What is usual is known after two weeks of readings.';
}
