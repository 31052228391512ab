// The top of a pocket's page: how it feels now against the usual, when it will be calm, and what is said or not.

import { calmTurn } from '../../../domain/atmosphere/calm-text.ts';
import { noMomentReason, reasonText } from '../../../domain/decision/silence-reason.ts';
import { bestWindow, visitAdvice } from '../../../domain/prediction/calm-window.ts';
import { aboutMinutes } from '../../../domain/text/figures.ts';
import { iso } from '../../../domain/time/slot.ts';
import { calmKind } from '../../parts/calm-kind.ts';
import { count, scalar, sentenceCase, stored } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { adviceWords, chance, stateWords, usualWords } from '../../parts/place-words.ts';
import { facts } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { clockTime, dateTime } from '../../parts/times.ts';
import { usuallyCalmText } from './day.ts';
import type { PocketAnswers } from './question.ts';
import { ageText } from './words.ts';

export const isSpeaking = ({ silence }: PocketAnswers): boolean =>
  'signal_status_code' in silence && silence.signal_status_code === 'ACTIVE_INTERVENTION';

const percentOf = (share: number): string => `${Math.round(100 * share)}\u00a0%`;

export function momentPart(site: Site, answers: PocketAnswers): Html {
  const {
    moment,
    story: { story },
  } = answers;
  if ('available' in moment)
    return html`<p>${sentenceCase(whyNoMoment(site, answers))}.</p>${newestReading(site, answers)}`;
  const turn = calmTurn(moment);
  return html`
<p class="state-line"><span class="swatch ${calmKind(moment.calm_level)}"></span>${stateWords[moment.primary_state]}</p>
${facts([
  [term('calm level', 'Calm level'), stored(moment.calm_level), 'from 0 to 1, at the last reading'],
  againstUsual(answers, moment.calm_level),
  [
    term('calm probability', 'Calm probability'),
    stored(moment.calm_probability),
    turn ? sentenceCase(turn) : 'of a calm state through the next half hour',
  ],
  [
    'Likely to last',
    `about ${aboutMinutes(moment.half_life_minutes)}`,
    html`from the reading, until ${clockTime(moment.expires_at, site.zone)}`,
  ],
])}
${
  story
    ? html`<blockquote class="voice">${story.why_now} ${story.why_this_merchant} ${story.why_users_care} ${story.why_pocket_benefits}</blockquote><p class="note">Written at ${clockTime(story.composed_at, site.zone)}, good until ${clockTime(story.expires_at, site.zone)}.</p>`
    : null
}
${newestReading(site, answers)}
<details><summary>More of this moment</summary>${facts([
    [term('friction', 'Friction'), scalar(moment.movement_friction), 'how hard it is to get about'],
    [term('fragility', 'Fragility'), scalar(moment.fragility), 'how easily the state tips'],
    [
      term('saturation', 'Attention budget'),
      percentOf(moment.signal_saturation),
      'used by messages and offers before the reading',
    ],
  ])}</details>`;
}

/** The comparison is left out where it was made for another reading than the moment's. */
function againstUsual({ today: { now, weekday } }: PocketAnswers, calm_level: number) {
  if (now === null || now.calm !== calm_level)
    return ['Against the usual', 'not known', 'known after two weeks of readings'] as const;
  return [
    term('usual calm', 'Against the usual'),
    usualWords[now.compared],
    `usually ${scalar(now.usual_calm)} at this hour on a ${sentenceCase(weekday)}`,
  ] as const;
}

/** How old the newest reading is; more than two quarter hours is marked. */
function newestReading({ zone }: Site, { day, today: { as_of } }: PocketAnswers): Html {
  const last = day.readings.at(-1);
  if (!last) return html`<p class="note old">Nothing was read in the last 24 hours.</p>`;
  const isOld = Date.parse(as_of) - Date.parse(last.captured_at) > 30 * 60_000;
  return isOld
    ? html`<p class="note old">The newest reading is ${ageText(last.captured_at, as_of)} old: ${dateTime(last.captured_at, zone)}.</p>`
    : html`<p class="note">Newest reading: ${dateTime(last.captured_at, zone)}.</p>`;
}

/** Forecasts are current only while the pocket is read. */
function whyNoMoment({ registry }: Site, { asked, day }: PocketAnswers): string {
  const { expects = [] } = registry.pockets.find(({ id }) => id === asked.pocket_id) ?? {};
  return reasonText[noMomentReason(expects, day.ahead.length > 0)];
}

/** The sealed forecasts of the next three hours, then what is usual. */
export function whenPart(site: Site, answers: PocketAnswers): Html {
  const { day, today } = answers;
  const clock = (time: string) => site.zone.clockOf(Date.parse(time));
  return html`
<p class="answer">${answerOf(answers, clock)}.</p>
${
  day.ahead.length
    ? html`<ul class="forecasts">${day.ahead.map(
        ({ at, expected_state, expected_calm, likely, calm_probability, prediction_id }) =>
          html`<li><b>${clock(at)}</b> <span class="swatch ${calmKind(expected_calm)}"></span>${stateWords[expected_state]}, calm level ${scalar(expected_calm)}${likely ? ` (likely ${scalar(likely.low)} to ${scalar(likely.high)})` : ''}, ${chance(calm_probability)} likely calm <a href="/ledger/${prediction_id}">Sealed forecast</a></li>\n`,
      )}</ul>`
    : null
}
<p>${usuallyCalmText(today, site)}</p>`;
}

/** The advice of the first page, from the same moment and the same forecasts. */
function answerOf({ moment, day }: PocketAnswers, clock: (time: string) => string): string {
  if (!day.ahead.length) return 'No forecast is current';
  if ('available' in moment) return 'How it feels now is not known';
  const { calm_probability, half_life_minutes, expires_at } = moment;
  const best = bestWindow(day.ahead.map((one) => ({ ...one, at: Date.parse(one.at) })));
  return adviceWords(
    {
      advice: visitAdvice(calm_probability, best),
      best_window: best && { at: iso(best.at) },
      ...{ half_life_minutes, expires_at, silent_because: null },
    },
    clock,
  );
}

export function saidPart(site: Site, answers: PocketAnswers): Html {
  const { silence } = answers;
  const [latest, ...before] = answers.packages.packages;
  const speaking = isSpeaking(answers);
  const quote = latest
    ? html`<blockquote>${latest.experience.composed_text}</blockquote><p class="note">${speaking ? 'Said' : 'Last said'} ${dateTime(latest.identity.composed_at, site.zone)} · <a href="/explanations/emit:${latest.identity.id}">Why it was said</a></p>`
    : html`<p class="note">Nothing was said here so far.</p>`;
  const reason =
    'reason_text' in silence
      ? html`<p class="answer">${speaking ? 'Nothing more is said now' : 'Nothing is said now'}: ${silence.reason_text}.</p>
<p>${nextText(site, silence)}</p>
<details><summary>In the words of the service</summary><blockquote class="voice">${[silence.justification, ...silence.outlook].join(' ')}</blockquote></details>`
      : html`<p class="answer">Nothing can be said: not enough recent data.</p>`;
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

/** Silences of the last week, and apart from them the quarter hours at which nothing was decided. */
function weekNote({ asked, silences }: PocketAnswers): Html | null {
  const own = silences.per_pocket.find(({ pocket_id }) => pocket_id === asked.pocket_id);
  if (!own) return null;
  return html`<p class="note">Over the last 7 days: ${count(own.count)} <a href="/silence">silences</a> in waking hours; counted apart, ${count(own.already_speaking_count)} quarter hours with a message still live and ${count(own.quiet_hours_count)} from 23:00 to 07:00.</p>`;
}

const earlier = (site: Site, packages: PocketAnswers['packages']['packages']): Html | null =>
  packages.length
    ? html`<details><summary>Said before</summary><ul>${packages.map(({ identity, experience }) => html`<li><blockquote>${experience.composed_text}</blockquote>${dateTime(identity.composed_at, site.zone)}</li>`)}</ul></details>`
    : null;
