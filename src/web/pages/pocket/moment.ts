// The section "Now" of a pocket's page: the state in words, the story, what was measured. The figures of the moment stand
// behind "Details": the page gives its level once, at the top.
import { calmTurn } from '../../../domain/atmosphere/calm-text.ts';
import { aboutDuration } from '../../../domain/text/duration.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { calmKind } from '../../parts/calm-kind.ts';
import { allDecimals, fixedDecimals, plural, scalar, wholePercent } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { stateWords } from '../../parts/place-words.ts';
import { facts } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { clockTime, dateTime } from '../../parts/times.ts';
import type { PocketAnswers } from './question.ts';

type Answers = Pick<PocketAnswers, 'moment' | 'story' | 'signals' | 'day'>;
type Moment = Extract<PocketAnswers['moment'], { calm_level: number }>;
type Hour = PocketAnswers['signals']['hours'][number];

export function momentPart(site: Site, { moment, story: { story }, signals, day }: Answers): Html {
  if ('available' in moment)
    return html`<p>${sentenceCase(moment.missing?.text ?? 'not enough recent data')}.</p>`;
  const turn = calmTurn(moment);
  const last = day.readings.at(-1);
  return html`
<p class="state-line"><span class="swatch ${calmKind(moment.calm_level)}"></span>${stateWords[moment.primary_state]}</p>
${turn ? html`<p>${sentenceCase(turn)}.</p>` : null}
${
  story
    ? html`<blockquote class="voice">${story.why_now} ${story.why_this_merchant} ${story.why_users_care} ${story.why_pocket_benefits}</blockquote><p class="note">Written at ${clockTime(story.composed_at, site.zone)}.</p>`
    : null
}
${measuredLine(site, signals)}
${last ? html`<p class="note">Newest reading: ${dateTime(last.captured_at, site.zone)}.</p>` : null}
<details><summary>Details</summary>${figures(moment)}</details>`;
}

/** A half-life is no end: as many such states lasted longer as did not. */
const figures = (moment: Moment): Html =>
  facts([
    [term('calm level', 'Calm level'), allDecimals(moment.calm_level), 'from 0 to 1, at the last reading'],
    [
      term('calm probability', 'Calm probability'),
      allDecimals(moment.calm_probability),
      'of a calm state through the next half hour',
    ],
    [
      term('half-life', 'Half of such states lasted longer than'),
      `about ${aboutDuration(moment.half_life_minutes)}`,
      'after such a reading; the other half ended sooner',
    ],
    [term('friction', 'Friction'), scalar(moment.movement_friction), 'how hard it is to get about'],
    [term('fragility', 'Fragility'), scalar(moment.fragility), 'how easily the state tips'],
    [
      term('saturation', 'Attention budget'),
      wholePercent(moment.signal_saturation),
      'used by messages and offers before the reading',
    ],
  ]);

/** What was measured in the newest hour that has a value. */
function measuredLine({ zone }: Site, { hours, measured }: PocketAnswers['signals']): Html | null {
  const hour = hours.findLast((one) => measured.some((kind) => one[kind] !== null));
  if (!hour) return null;
  return html`<p>Measured in the hour from ${zone.localClock(Date.parse(hour.at))}: ${measuredWords(hour).join(', ')}.</p>`;
}

/** In millimetres; less would be shown as 0.0. */
const LEAST_RAIN = 0.05;

/** Only what has a value; the crowd stands where no people are counted. */
export function measuredWords({ rain_mm, temperature_c, people, crowd, traffic_speed_kmh }: Hour): string[] {
  return [
    ...(rain_mm === null
      ? []
      : [rain_mm < LEAST_RAIN ? 'no rain' : `${fixedDecimals(rain_mm, 1)} mm of rain`]),
    ...(temperature_c === null ? [] : [`${fixedDecimals(temperature_c, 0)} °C`]),
    ...(people === null ? [] : [`${plural(Math.round(people), 'person', 'people')} an hour`]),
    ...(crowd === null ? [] : [`a crowd of ${wholePercent(crowd)} of the usual peak`]),
    ...(traffic_speed_kmh === null ? [] : [`traffic at ${fixedDecimals(traffic_speed_kmh, 0)} km/h`]),
  ];
}
