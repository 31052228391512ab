// The top of a pocket's page: how it feels now against the usual, when it will be calm, and what is said or not.

import { chanceText } from '../../../domain/atmosphere/calm-band.ts';
import { CURRENT_FOR } from '../../../domain/atmosphere/reading.ts';
import { wakingTimeText } from '../../../domain/stats/waking-time.ts';
import { adviceWords, clockFrom, windowWords } from '../../../operations/visit/visit-words.ts';
import { calmKind } from '../../parts/calm-kind.ts';
import { count } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { nowLine, openLine, stateWords } from '../../parts/place-words.ts';
import { clockTime, dateTime } from '../../parts/times.ts';
import { calendarLinks } from '../../share/calendar-links.ts';
import type { PocketAnswers } from './question.ts';
import { ageText } from './words.ts';

export const isSpeaking = ({ silence }: PocketAnswers): boolean =>
  'signal_status_code' in silence && silence.signal_status_code === 'ACTIVE_INTERVENTION';

/** For the top of the page, before all that is shown as now: a reading that is no longer current; else null. */
export function oldReading({ zone }: Site, { day, today: { as_of } }: PocketAnswers): Html | null {
  const last = day.readings.at(-1);
  if (!last) return html`<p class="note old">Nothing was read in the last 24 hours.</p>`;
  if (Date.parse(as_of) - Date.parse(last.captured_at) < CURRENT_FOR) return null;
  return html`<p class="note old">The newest reading is ${ageText(last.captured_at, as_of)} old: ${dateTime(last.captured_at, zone)}.</p>`;
}

/** Whether to go now, and if not, when: the same row as on the first page and in a comparison. */
export function glancePart(site: Site, { windows }: PocketAnswers): Html | null {
  const [row] = windows.pockets;
  if (!row) return null;
  const clock = clockFrom(windows.captured_at, site.zone);
  const { pocket_id, advice, window, next_window: next, ahead } = row;
  const [sealed] = ahead;
  return html`<section class="card glance" aria-label="At a glance">
<p class="advice go-${advice}">${adviceWords(row, clock)}</p>
${row.primary_state === null ? null : nowLine(row)}${openLine(row)}${window && next ? html`<p class="ahead">Then ${windowWords(next, clock)}</p>` : null}
<p class="note">${sealed ? html`Chance and end come from <a href="/ledger/${sealed.prediction_id}">sealed forecasts</a>; <a href="/accuracy#windows">how many such windows held</a>. ` : null}“Usually” is how often that hour of the week was calm, not a forecast. Times are ${site.zone.generalName}.</p>
<ul class="links"><li><a href="/share/${pocket_id}">Share or embed</a></li><li><a href="/pocket/${pocket_id}/calm.ics">Calendar of calm windows</a></li>${calendarLinks(site.baseUrl, pocket_id).map(({ words, address }) => html`<li><a href="${address}">${words}</a></li>`)}<li><a href="/pocket/${pocket_id}/stream.rss">What is said (RSS)</a></li><li><a href="/pocket/${pocket_id}/forecasts.rss">How forecasts turned out (RSS)</a></li><li><a href="/compare?pockets=${pocket_id}">Compare</a></li></ul>
</section>`;
}

/** The sealed forecasts of the next three hours. */
export function whenPart(site: Site, { windows, day }: PocketAnswers): Html {
  const clock = clockFrom(windows.captured_at, site.zone);
  const calmAt = new Map(
    windows.pockets.flatMap(({ ahead }) => ahead.map((one) => [one.prediction_id, one.calm_probability])),
  );
  return html`
${
  day.ahead.length
    ? html`<ul class="forecasts">${day.ahead.map(
        ({ at, expected_state, expected_calm, prediction_id }) =>
          html`<li><b>${clock(at)}</b> <span class="swatch ${calmKind(expected_calm)}"></span>${stateWords[expected_state]}${likelyCalm(calmAt.get(prediction_id))} <a href="/ledger/${prediction_id}">Sealed forecast</a></li>\n`,
      )}</ul><p class="note"><a href="/accuracy#calm">How often “likely calm” came true</a></p>`
    : html`<p>No forecast is current.</p>`
}`;
}

const likelyCalm = (probability: number | undefined): string =>
  probability === undefined ? '' : `, ${chanceText(probability)}`;

export function saidPart(site: Site, answers: PocketAnswers): Html {
  const { silence } = answers;
  const [latest, ...before] = answers.packages.packages;
  const speaking = isSpeaking(answers);
  const quote = latest
    ? html`<blockquote>${latest.experience.composed_text}</blockquote><p class="note">${speaking ? 'Said' : 'Last said'} ${dateTime(latest.identity.composed_at, site.zone)} · <a href="/explanations/emit:${latest.identity.id}">Why it was said</a></p>`
    : html`<p class="note">Nothing has been said here so far.</p>`;
  const reason =
    'reason_text' in silence
      ? html`<p class="answer">${speaking ? 'Nothing more is said now' : 'Nothing is said now'}: ${silence.reason_text}.</p>
<p>${nextText(site, silence)}</p>
<details><summary>In the words of the service</summary><blockquote class="voice">${[silence.justification, ...silence.outlook].join(' ')}</blockquote></details>`
      : html`<p class="answer">Nothing can be said: ${'missing' in silence && silence.missing ? silence.missing.text : 'not enough recent data'}.</p>`;
  return html`${speaking ? html`${quote}${reason}` : html`${reason}${quote}`}${earlier(site, before)}${weekNote(answers)}`;
}

type Silence = Extract<PocketAnswers['silence'], { reason_text: string }>;

function nextText(
  { zone }: Site,
  { next_possible_window: next, next_possible_window_reason: why }: Silence,
): Html {
  return next === null
    ? html`No next message can be expected: ${why}.`
    : html`The next message could come at about ${clockTime(next, zone)}: ${why}.`;
}

/** Restraint in time and silences of the last week, and apart from them the quarter hours at which nothing was decided. */
function weekNote({ calendar: { last_week } }: PocketAnswers): Html | null {
  const { silence_count, already_speaking_count, quiet_hours_count, waking_time } = last_week;
  if (waking_time.share_said === null && !quiet_hours_count) return null;
  return html`<p class="note">Over the last 7 days, ${wakingTimeText(waking_time)}. ${count(silence_count)} <a href="/silence">silences</a> in waking hours; counted apart, ${count(already_speaking_count)} quarter hours with a message still live and ${count(quiet_hours_count)} from 23:00 to 07:00.</p>`;
}

const earlier = (site: Site, packages: PocketAnswers['packages']['packages']): Html | null =>
  packages.length
    ? html`<details><summary>Said before</summary><ul>${packages.map(({ identity, experience }) => html`<li><blockquote>${experience.composed_text}</blockquote>${dateTime(identity.composed_at, site.zone)}</li>`)}</ul></details>`
    : null;
