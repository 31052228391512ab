// The list of pockets on the first page, a hundred at a time. Rows are short, so that a hundred stay a light page.

import { SUITS } from '../../../domain/intent/intent-fit.ts';
import { round } from '../../../domain/stats/unit-scale.ts';
import { PAGE_OF_POCKETS } from '../../../operations/visit/visit-answer.ts';
import { adviceWords, type Clock, clockFrom, distanceWords } from '../../../operations/visit/visit-words.ts';
import { plural } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { nowLine, openLine } from '../../parts/place-words.ts';
import type { Asked, HomeAnswers, Place } from './question.ts';

export function placeList(site: Site, answers: HomeAnswers): Html {
  const { places, asked } = answers;
  if (!places.pockets.length) return nothingFound(site, answers);
  const clock = clockFrom(places.captured_at ?? places.at, site.zone);
  const intent = site.registry.intents.find(({ slug }) => slug === asked.intent)?.title;
  const single = places.pockets.length === 1;
  return html`
<div class="list-head"><h2 id="pockets">${listTitle(places)}</h2></div>
${single ? null : html`<form class="compare" action="/compare">`}<ol class="places" id="list"${places.total > places.pockets.length ? html` data-part` : null}>${places.pockets.map((place) => (places.pockets.length > MAX_FULL_ROWS ? shortRow(place, clock) : row(place, clock, { intent, at: places.at }, single)))}</ol>${single ? null : html`<p>${compareButton}</p></form>`}
${pager(places, asked)}
<p class="note">Chances and ends of the next three hours come from forecasts that are <a href="/ledger">sealed in the ledger</a>; how often “likely calm” came true and how many windows held is <a href="/accuracy#calm">scored</a>. “Usually” is how often that hour of the week was calm, not a forecast. All times are ${site.zone.generalName}. <a href="/api/windows${query(asked)}">JSON</a></p>`;
}

const listTitle = ({ total, offset, pockets }: HomeAnswers['places']): string =>
  total > pockets.length
    ? `Pockets ${offset + 1} to ${offset + pockets.length} of ${total.toLocaleString('en')}`
    : plural(total, 'pocket');

const compareButton = html`<button>Compare the marked pockets</button> <small>Two to four of them, or <a href="/compare">choose by name</a>.</small>`;

/** Of a longer list the rows are short, so that a hundred are still a light page. */
const MAX_FULL_ROWS = 30;

function shortRow(place: Place, clock: Clock): Html {
  const { pocket_id: id, name } = place;
  return html`<li id="p-${id}" data-at="${position(place)}"><h3><a href="/pocket/${id}">${name}</a></h3><p class="advice go-${place.advice}">${adviceWords(place, clock)}</p>${pick(id)}</li>`;
}

/** How far from the place that was asked for. */
const distanceText = ({ distance_m }: Place): string =>
  distance_m === null ? '' : `, ${distanceWords(distance_m)}`;

/** To a metre, for the order by distance. */
const position = ({ lat, lng }: Place): string => `${round(lat, 5)},${round(lng, 5)}`;

const pick = (id: string): Html =>
  html`<label><input type="checkbox" name="pockets" value="${id}">Compare</label>`;

function row(
  place: Place,
  clock: Clock,
  asked: { intent: string | undefined; at: string | null },
  single: boolean,
): Html {
  const { pocket_id: id, name, region } = place;
  return html`<li id="p-${id}" data-at="${position(place)}"><h3><a href="/pocket/${id}">${name}</a> <small>${region}${distanceText(place)}</small></h3>
<p class="advice go-${place.advice}">${adviceWords(place, clock)}</p>
${asked.at !== null || place.primary_state === null ? null : nowLine(place)}${openLine(place)}${
  asked.intent && place.intent_alignment !== null
    ? html`<p class="fit">${asked.intent}: suits it${place.intent_alignment >= SUITS ? '' : ' in part'}</p>`
    : null
}${asked.at !== null || place.line === null ? null : html`<blockquote class="voice" data-now>${place.line}${place.line_at && html` <small>Said at ${clock(place.line_at)}</small>`}</blockquote>`}${single ? null : pick(id)}</li>
`;
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
function query({ q, order, near, day, at, intent, offset }: Asked): string {
  const given = new URLSearchParams();
  if (q) given.set('q', q);
  if (order !== 'calm') given.set('order', order);
  if (near) given.set('near', near);
  if (day) given.set('day', day);
  if (at !== undefined) given.set('at', String(at));
  if (intent !== undefined) given.set('intent', intent);
  if (offset) given.set('offset', String(offset));
  const text = given.toString();
  return text && `?${text}`;
}
