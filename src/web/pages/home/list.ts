// The list of pockets on the first page, a hundred at a time. Rows are short, so that a hundred stay a light page.

import { SUITS } from '../../../domain/city/intent.ts';
import { round } from '../../../domain/stats/unit-scale.ts';
import { PAGE_OF_POCKETS } from '../../../operations/visit/list-calm-windows.ts';
import { plural, stored } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import {
  adviceWords,
  aheadLine,
  chance,
  clockFrom,
  nowLine,
  stateKind,
  stateMark,
  stateWords,
} from '../../parts/place-words.ts';
import { term } from '../../parts/terms.ts';
import type { Asked, HomeAnswers, Place } from './question.ts';

export function placeList(site: Site, answers: HomeAnswers): Html {
  const { places, asked } = answers;
  if (!places.pockets.length) return nothingFound(site, answers);
  const clock = clockFrom(places.captured_at ?? places.at, site.zone);
  const intent = site.registry.intents.find(({ slug }) => slug === asked.intent)?.title;
  const single = places.pockets.length === 1;
  return html`
<div class="list-head"><h2 id="pockets">${listTitle(places)}</h2></div>
${single ? null : html`<form class="compare" action="/compare">`}<ol class="places" id="list"${places.total > places.pockets.length ? html` data-part` : null}>${places.pockets.map((place) => (places.pockets.length > MAX_FULL_ROWS ? shortRow(place, clock) : row(place, clock, intent, single)))}</ol>${single ? null : html`<p>${compareButton}</p></form>`}
${pager(places, asked)}
<p class="note">${term('calm level', 'Calm level')}: how calm the last reading was, from 0 to 1; a calm state begins at 0.55. ${term('usual calm', 'Usual')}: the mean of this hour of the week over the last weeks. Times of the next three hours come from forecasts that are <a href="/ledger">sealed in the ledger</a>, and “likely calm” is <a href="/accuracy#calm">scored</a>; “usually” is no forecast. All times are ${site.zone.generalName}. <a href="/api/windows${query(asked)}">JSON</a></p>`;
}

const listTitle = ({ total, offset, pockets }: HomeAnswers['places']): string =>
  total > pockets.length
    ? `Pockets ${offset + 1} to ${offset + pockets.length} of ${total.toLocaleString('en')}`
    : plural(total, 'pocket');

const compareButton = html`<button>Compare the marked pockets</button> <small>Two to four of them, or <a href="/compare">choose by name</a>.</small>`;

/** Of a longer list the rows are short, so that a hundred are still a light page. */
const MAX_FULL_ROWS = 30;

function shortRow(place: Place, clock: (time: string) => string): Html {
  const { pocket_id: id, name, primary_state: state, best_window: best, usual_calm } = place;
  const shown = place.at_hour ?? place;
  return html`<li id="p-${id}" data-at="${position(place)}"><h3><a href="/pocket/${id}">${name}</a></h3><p class="advice go-${place.advice}">${place.advice === 'not_soon' ? 'Not calm soon' : adviceWords(place, clock)}</p>${
    state === null
      ? null
      : html`<p class="now">${stateMark(stateKind(state))}${stateWords[state]} <b>${stored(shown.calm_level)}</b>${usual_calm === null ? null : html` <small>usual ${stored(usual_calm)}</small>`}</p>`
  }${best ? html`<p class="ahead">Best ${clock(best.at)}, ${chance(best.calm_probability)} likely calm</p>` : null}${pick(id)}</li>`;
}

/** To a metre, for the order by distance. */
const position = ({ lat, lng }: Place): string => `${round(lat, 5)},${round(lng, 5)}`;

const pick = (id: string): Html =>
  html`<label><input type="checkbox" name="pockets" value="${id}">Compare</label>`;

function row(
  place: Place,
  clock: (time: string) => string,
  intent: string | undefined,
  single: boolean,
): Html {
  const { pocket_id: id, name, region } = place;
  return html`<li id="p-${id}" data-at="${position(place)}"><h3><a href="/pocket/${id}">${name}</a> <small>${region}</small></h3>
<p class="advice go-${place.advice}">${adviceWords(place, clock)}</p>
${place.primary_state === null ? null : nowLine(place)}${hourPart(place, clock)}${aheadLine(place, clock)}${
  intent && place.intent_alignment !== null
    ? html`<p class="fit">${intent}: suits it${place.intent_alignment >= SUITS ? '' : ' in part'} (${stored(place.intent_alignment)})</p>`
    : null
}${place.line === null ? null : html`<blockquote class="voice" data-now>${place.line}${place.line_at && html` <small>Said at ${clock(place.line_at)}</small>`}</blockquote>`}${single ? null : pick(id)}</li>
`;
}

/** The hour that was asked for. */
function hourPart({ at_hour }: Place, clock: (time: string) => string): Html | null {
  if (at_hour === null) return null;
  const { at, calm_level, calm_probability, basis } = at_hour;
  return html`<p class="hour">At ${clock(at)}: calm level <b>${stored(calm_level)}</b> ${
    basis === 'forecast' && calm_probability !== null
      ? `forecast, ${chance(calm_probability)} likely calm`
      : 'usual, no forecast yet'
  }</p>`;
}

function pager({ total, offset }: HomeAnswers['places'], asked: Asked): Html | null {
  if (total <= PAGE_OF_POCKETS) return null;
  const to = (next: number, words: string) =>
    next < 0 || next >= total
      ? null
      : html`<li><a href="/${query({ ...asked, offset: next })}#pockets">${words}</a></li>`;
  return html`<nav class="choices" aria-label="Pages of the list"><ul class="links">${to(offset - PAGE_OF_POCKETS, 'Previous hundred')}${to(offset + PAGE_OF_POCKETS, 'Next hundred')}</ul></nav>`;
}

function nothingFound({ registry, zone }: Site, { places, asked }: HomeAnswers): Html {
  const intent = registry.intents.find(({ slug }) => slug === asked.intent);
  const hours = intent?.hours.map(([from, to]) => `${hourText(from)} to ${hourText(to)}`).join(', ');
  return html`
${intent ? html`<p>${intent.title} makes sense from ${hours ?? ''} (${zone.generalName}), in a pocket that feels right for it. Another hour can be chosen above.</p>` : null}
${places.suggestions.length ? html`<p>Similar names:</p><ul class="links">${places.suggestions.map((name) => html`<li><a href="/?q=${encodeURIComponent(name)}">${name}</a></li>`)}</ul>` : null}
<p><a href="/">All pockets</a></p>`;
}

const hourText = (hour: number): string =>
  `${String(Math.floor(hour)).padStart(2, '0')}:${String(Math.round((hour % 1) * 60)).padStart(2, '0')}`;

/** The same question as a query, without defaults. */
function query({ q, sort, at, intent, offset }: Asked): string {
  const given = new URLSearchParams();
  if (q) given.set('q', q);
  if (sort !== 'calm') given.set('sort', sort);
  if (at !== undefined) given.set('at', String(at));
  if (intent !== undefined) given.set('intent', intent);
  if (offset) given.set('offset', String(offset));
  const text = given.toString();
  return text && `?${text}`;
}
