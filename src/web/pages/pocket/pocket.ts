// The page of a pocket: now against the usual, the hours ahead, the last weeks, what was said and what was not and why.

import { findPocket } from '../../../domain/city/lists/find-entries.ts';
import { countText } from '../../../domain/text/count-text.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { newestReadingLine } from '../../parts/reading-age.ts';
import { formatDate } from '../../parts/times.ts';
import { assets } from '../../site/assets.ts';
import { calendarPart } from './calendar.ts';
import { dayChart } from './day-chart.ts';
import { decisionList } from './decisions.ts';
import { evidenceLinks } from './evidence.ts';
import { momentPart } from './moment.ts';
import { glancePart, isSpeaking, oldReading, saidPart, whenPart } from './now.ts';
import type { PocketAnswers } from './question.ts';
import { signalCharts } from './signal-charts.ts';
import { usualBars } from './usual-bars.ts';
import { sourceLine } from './words.ts';

/** Entries of today's decisions that are listed; the page of the day lists all. */
const LISTED_DECISIONS = 6;

export function pocketPage(site: Site, answers: PocketAnswers): string {
  const { asked, today, day, calendar, signals } = answers;
  const { pocket_id } = asked;
  const pocket = findPocket(site.registry, pocket_id);
  const name = pocket?.name ?? pocket_id;
  return renderPage(site, {
    title: name,
    about: `${name} now: how it feels against its usual, when it is likely to be calm, and whether anything is said of it.`,
    path: `/pocket/${pocket_id}`,
    live: true,
    scripts: [assets.heatMapScript.address],
    body: html`
<p class="crumb"><a href="/">All pockets</a> / ${pocket?.region ?? ''}</p>
<h1>${name}</h1>
${oldReading(site, answers)}
<p class="lead">${sentenceCase(pocket?.character.summary ?? '')}.</p>
${pocket?.aliases.length ? html`<p class="note aliases">Also ${pocket.aliases.join(', ')}</p>` : null}
<div data-now>${glancePart(site, answers)}</div>
${usualBars(site, answers)}
<div class="columns" data-now>
<section class="card" aria-labelledby="moment"><h2 id="moment">Now</h2>${momentPart(site, answers)}</section>
<section class="card" aria-labelledby="when"><h2 id="when">The next three hours</h2>${whenPart(site, answers)}</section>
</div>
<h2 id="day">${dayName('Today', today.date)} against the usual</h2>
${day.readings.length ? dayChart(today, day.ahead, site.zone) : html`<p>Nothing was read here in the last 24 hours.</p>`}
${newestReadingLine(day.newest_reading_at, day.as_of, site.zone)}
${sourceLine('Readings and usual of today.', `/api/pocket-date?pocket=${pocket_id}`)}
<section class="card" aria-labelledby="said" data-now><h2 id="said">${isSpeaking(answers) ? 'What is said' : 'Why nothing is said'}</h2>${saidPart(site, answers)}</section>
<h2 id="decisions">Said and not said ${dayName('today', today.date)}</h2>
${decisionList(today.decisions, site.zone, LISTED_DECISIONS)}
${today.decisions.length ? html`<p><a href="/pocket/${pocket_id}/${today.date}">All of ${dayName('today', today.date)}</a></p>` : null}
<h2 id="calendar">The last weeks</h2>
${calendarPart(calendar)}
<h2 id="signals">Rain, temperature, people, traffic</h2>
${signalCharts(signals, `/api/pocket-signals?pocket=${pocket_id}`, site.zone)}
<h2 id="evidence">The evidence</h2>
${evidenceLinks(pocket_id)}
<h2 id="intents">For a purpose</h2>
<ul class="links">${site.registry.intents
      .filter(({ public_page }) => public_page)
      .map(
        ({ slug, title }) => html`<li><a href="/pocket/${pocket_id}/intent/${slug}">${title}</a></li>`,
      )}</ul>
<p class="note">${outletsPart(answers)}<a href="/reports/pocket/${pocket_id}">Monthly reports</a> · <a href="/reports/weekly/${pocket_id}">Weekly reports</a> · <a href="/api/pocket-live?pocket=${pocket_id}">JSON</a></p>`,
  });
}

/** 'Today', or the date once the page is an old one. */
const dayName = (word: string, date: string): Html =>
  html`<span data-then="${formatDate(date)}"><span data-now>${word}</span></span>`;

function outletsPart({ readiness: { pocket_id, outlet_count, open_now_count } }: PocketAnswers): Html | null {
  if (!outlet_count) return null;
  const counted = `${countText(outlet_count, 'outlet')} here`;
  return html`<a href="/outlets#${pocket_id}">${counted}</a><span data-now>, ${open_now_count ?? 'fewer than five'} open now</span> · `;
}
