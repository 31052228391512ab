// How busy each hour of a weekday usually is, as bars; on today's weekday what was measured today is drawn on top and the
// present hour is marked. Weekdays are radio buttons, which need no script. Shape, not colour, tells the bars apart: the
// usual is filled, today is an outline, and now is a mark with its word. A table holds the same figures.
import { bandLevels, calmBand } from '../../../domain/atmosphere/calm-band.ts';
import { type BandHours, busyLevel, usualExtremes } from '../../../domain/atmosphere/usual-week.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { type DayName, dayNames } from '../../../domain/time/periods.ts';
import { WAKING } from '../../../domain/time/waking-hours.ts';
import { ofN } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { term } from '../../parts/terms.ts';
import type { PocketAnswers } from './question.ts';
import { sourceLine } from './words.ts';

type Week = PocketAnswers['week'];
type Hour = Week['usual'][number];

const PLOT = { left: 78, top: 18, height: 122 };
/** Of an hour, and of its bar. */
const STEP = 12;
const BAR = 10;
const WIDTH = PLOT.left + 24 * STEP;
const BOTTOM = PLOT.top + PLOT.height;
const HEIGHT = BOTTOM + 20;
/** A very calm hour still has a bar: only an hour that is not known has none. */
const LEAST_BAR = 2;

export function usualBars({ zone }: Site, { week }: Pick<PocketAnswers, 'week'>): Html {
  const { usual, today, pocket_id, as_of } = week;
  const isKnown = ({ usual_calm }: Hour) => usual_calm !== null;
  if (!usual.some(isKnown) && !today.hours.length)
    return html`<p class="note">How busy it usually is by hour is known after two weeks of readings.</p>`;
  const present = Math.floor(zone.hourOfDay(Date.parse(as_of)));
  const days = dayNames
    .map((day) => ({ day, hours: usual.filter(({ weekday }) => weekday === day) }))
    .filter(({ day, hours }) => day === today.weekday || hours.some(isKnown));
  return html`
<section class="card usual-bars" aria-labelledby="usual-week">
<h2 id="usual-week">How busy it usually is</h2>
<fieldset><legend class="unseen">Weekday</legend>${days.map(({ day, hours }) => dayPart(week, day, hours, present))}</fieldset>
<p class="keys"><span class="key usual-bar">Usual</span><span class="key today-bar">Today, measured</span><span class="key now-mark">Now</span></p>
<p class="note">The taller, the busier: the opposite of the ${term('calm level', 'calm level')}. ${knownNote(usual)} Times are ${zone.generalName}.</p>
<details><summary>Show the figures as a table</summary>${figures(week)}</details>
${sourceLine('The usual week, and today by hour.', `/api/pocket-week?pocket=${pocket_id}`)}
</section>`;
}

/** One weekday: its button, then what it shows, which the stylesheet sets below all buttons. */
function dayPart(week: Week, day: DayName, hours: readonly Hour[], present: number): Html {
  const { today } = week;
  const isToday = day === today.weekday;
  const name = sentenceCase(day);
  const named = isToday ? `${name}, today` : name;
  const usual = hours.map(({ hour, usual_calm }) => ({ hour, calm: usual_calm }));
  return html`
<input type=radio name=weekday id=usual-${day} aria-label="${named}" autocomplete=off${isToday ? html` checked` : null}><label for=usual-${day}>${name.slice(0, 3)}</label>
<div><p><b>${named}.</b> ${extremesText(hours)}${isToday ? html` ${todayText(week, hours, present)}` : null}</p>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role=img aria-label="Usual ${name} by hour${isToday ? ', with today on top' : ''}">${
    // Drawn once: a weekday that is not shown can still be referred to.
    isToday ? axes : html`<use href="#usual-axes"/>`
  }<path class="usual-bar" d="${barsPath(usual)}"/>${isToday ? html`<path class="today-bar" d="${barsPath(today.hours)}"/>${nowMark(present)}` : null}</svg></div>`;
}

const barX = (hour: number): number => PLOT.left + hour * STEP + (STEP - BAR) / 2;
const barHeight = (calm: number): number => Math.max(LEAST_BAR, Math.round(PLOT.height * busyLevel(calm)));

/** All bars as one path, each open at its foot. An hour that is not known is a gap. */
export function barsPath(hours: readonly { hour: number; calm: number | null }[]): string {
  let end: number | null = null;
  const bars: string[] = [];
  for (const { hour, calm } of hours) {
    if (calm === null) continue;
    const height = barHeight(calm);
    const move = end === null ? `M${barX(hour)} ${BOTTOM}` : `m${barX(hour) - end} 0`;
    bars.push(`${move}v-${height}h${BAR}v${height}`);
    end = barX(hour) + BAR;
  }
  return bars.join('');
}

/** A line through the present hour, with its word above, which stays within the chart. */
function nowMark(hour: number): Html {
  const x = barX(hour) + BAR / 2;
  return html`<path class="now-mark" d="M${x} 14V${BOTTOM + 5}"/><text x="${Math.min(x, WIDTH - 16)}" y="11" text-anchor="middle">now</text>`;
}

/** The bands from the bottom, 'very calm', to the top, each with its word; then the hours. */
const axes: Html = html`<g id="usual-axes">${bandLevels.map(([band, least], at) => {
  const yAt = (calm: number) => Math.round(BOTTOM - PLOT.height * busyLevel(calm));
  const middle = Math.round((yAt(least) + yAt(bandLevels[at - 1]?.[1] ?? 1)) / 2);
  return html`<path class="bar-grid" d="M${PLOT.left} ${yAt(least)}H${WIDTH}"/><text x="${PLOT.left - 4}" y="${middle}" dy=".35em" text-anchor="end">${band}</text>`;
})}${[0, 6, 12, 18].map((hour) => html`<text x="${barX(hour)}" y="${HEIGHT - 2}">${clock(hour)}</text>`)}</g>`;

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

const spanText = ({ from, to }: { from: number; to: number }): string => `${clock(from)}–${clock(to)}`;
const bandText = ({ band, spans }: BandHours): string => `${spans.map(spanText).join(', ')} (${band})`;

/** When the weekday is usually busiest and calmest, in waking hours. */
function extremesText(hours: readonly Hour[]): string {
  const found = usualExtremes(hours);
  if (!found) return 'What is usual is known after two weeks of readings.';
  const { busiest, calmest } = found;
  return busiest.band === calmest.band
    ? `Usually ${busiest.band} ${busiest.spans.map(spanText).join(', ')}.`
    : `Usually busiest ${bandText(busiest)}; calmest ${bandText(calmest)}.`;
}

/** The present hour in words: what is usual, and what was measured of it so far. */
function todayText({ today }: Week, hours: readonly Hour[], present: number): string {
  const usual = hours.find(({ hour }) => hour === present)?.usual_calm ?? null;
  const read = today.hours.find(({ hour }) => hour === present);
  const words = [
    usual === null ? 'the usual is not known yet' : `usually ${calmBand(usual)}`,
    read ? `today ${calmBand(read.calm)} so far (${ofN(read.readings)})` : 'not measured yet today',
  ];
  const holiday =
    today.holiday === null
      ? ''
      : ` Today is a public holiday (${today.holiday}); it is compared with an ordinary ${sentenceCase(today.weekday)}.`;
  return `Now, ${spanText({ from: present, to: present + 1 })}: ${words.join(', ')}.${holiday}`;
}

/** How many readings each usual rests on, and what an hour without a bar means. */
function knownNote(usual: readonly Hour[]): string {
  const counts = usual.filter(({ usual_calm }) => usual_calm !== null).map(({ readings }) => readings);
  if (!counts.length) return 'What is usual is known after two weeks of readings.';
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const gaps =
    counts.length < usual.length ? ' Hours without a bar have less than two weeks of readings.' : '';
  return `Usual is the mean of the hour (${ofN(least)}${most > least ? ` to ${most}` : ''}); busiest and calmest are those from ${spanText(WAKING)}.${gaps}`;
}

/**
 * Hours as rows, weekdays and today as columns. Tags and quotes that HTML does not need are left out: with so many cells
 * they would make the page much heavier.
 */
function figures({ usual, today }: Week): Html {
  const usualAt = (day: number, hour: number) => usual[24 * day + hour]?.usual_calm ?? null;
  const readAt = new Map(today.hours.map(({ hour, calm }) => [hour, calm]));
  const steps = bandLevels.map(([band, least], at) => {
    const above = bandLevels[at - 1]?.[1];
    return above === undefined ? `up to ${hundredths(least)} ${band}` : `above ${hundredths(above)} ${band}`;
  });
  return html`<p class="note">From 0 to 100, the calmest to the busiest: ${steps.join(', ')}. A dash means not known.</p>
<table><caption class="unseen">How busy each hour of the week usually is, and today so far</caption>
<thead><tr><th scope="col">Hour</th>${dayNames.map((day) => html`<th scope="col">${sentenceCase(day.slice(0, 3))}</th>`)}<th scope="col">Today</th></tr></thead>
<tbody>${Array.from({ length: 24 }, (_, hour) => html`<tr><th scope=row>${clock(hour)}${dayNames.map((_, day) => html`<td>${shownLevel(usualAt(day, hour))}`)}<td>${shownLevel(readAt.get(hour) ?? null)}\n`)}</tbody></table>`;
}

const hundredths = (calm: number): number => Math.round(1000 * busyLevel(calm)) / 10;

/** A whole number, with a decimal where rounding would carry it into another band. */
export function shownLevel(calm: number | null): string {
  if (calm === null) return '–';
  const exact = hundredths(calm);
  const whole = Math.round(exact);
  return String(calmBand(busyLevel(whole / 100)) === calmBand(calm) ? whole : exact);
}
