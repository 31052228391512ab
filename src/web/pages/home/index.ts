// The first page: where it is calm now, and where it will be; a list and a map of the same pockets.

import { chanceText, LIKELY_CALM, MAYBE_CALM } from '../../../domain/atmosphere/calm-band.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { lastsIntoDay } from '../../../domain/window/visit.ts';
import {
  adviceWords,
  type Clock,
  clockFrom,
  timeWords,
  windowWords,
} from '../../../operations/visit/visit-words.ts';
import { mapCredits, spotMap } from '../../charts/map.ts';
import { plural } from '../../parts/format.ts';
import { type Html, html, type Piece } from '../../parts/html.ts';
import { learningNote } from '../../parts/learning-note.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import {
  kindWords,
  openLine,
  type StateKind,
  stateKind,
  stateKinds,
  stateMark,
  stateWords,
} from '../../parts/place-words.ts';
import { term } from '../../parts/terms.ts';
import { clockTime } from '../../parts/times.ts';
import { assets } from '../../site/assets.ts';
import { placeList } from './list.ts';
import type { HomeAnswers, Place } from './question.ts';
import { searchForm } from './search-form.ts';

export function homePage(site: Site, answers: HomeAnswers): string {
  const { places, asked } = answers;
  const { city } = site.registry;
  return renderPage(site, {
    title: `${city.name} now`,
    about: `Where it is calm in ${city.name} now, where it will be in the next three hours, and what is usual.`,
    path: '/',
    live: true,
    scripts: [assets.mapLabelsScript.address, assets.mapScript.address, assets.homeScript.address],
    body: html`
<div class="front">
<div class="hero">
<h1 data-then="${city.name}"><span data-now>${headline(site, answers)}</span></h1>
${answerPart(site, answers)}
${learningNote(site, places.learning)}${withoutCrowd(places)}
${searchForm(site, places.captured_at, asked)}
</div>
<div class="listing">${placeList(site, answers)}</div>
${places.pockets.length ? mapCard(site, places) : null}
</div>`,
  });
}

const whenWords = ({ zone }: Site, { at, captured_at }: HomeAnswers['places']): string =>
  at === null ? 'now' : timeWords(at, captured_at, zone);

/** The place that leads the page: the best match of a search, else the one that is most likely calm. */
function headline(site: Site, { places, asked }: HomeAnswers): Piece {
  const [first] = places.pockets;
  const when = whenWords(site, places);
  const { city } = site.registry;
  if (places.place && asked.q) return `${places.place.name} is not watched`;
  if (asked.q && !first) return `No place matches “${asked.q}”`;
  if (!first) return asked.intent ? `No place suits that ${when}` : 'No places to show';
  if (places.total === 1) return html`${placeLink(first)} ${when}`;
  if (asked.q) return `Places that match “${asked.q}”`;
  if (places.captured_at === null && places.at === null) return `No reading of ${city.name} now`;
  if (places.place) return `Near ${places.place.name} ${when}`;
  if (asked.order !== 'calm' || asked.offset > 0) return `${city.name} ${when}`;
  if (!first.expected) return `Not enough data to say what is usual ${when}`;
  if (places.night) return `Night in ${city.name} ${when === 'now' ? '' : when}`.trim();
  if (first.expected.calm_probability < MAYBE_CALM) return `Nowhere is likely calm ${when}`;
  const leading = leadingPlace(places, first);
  return html`Calmest ${leading === first ? '' : 'with something open '}${when}: ${placeLink(leading)}`;
}

/** The calmest place in which something is open; the calmest of all where in none that may be calm anything is. */
const leadingPlace = ({ pockets }: HomeAnswers['places'], first: Place): Place =>
  pockets.find(
    ({ open_kinds, expected }) => open_kinds?.length !== 0 && (expected?.calm_probability ?? 0) >= MAYBE_CALM,
  ) ?? first;

const placeLink = ({ pocket_id, name }: Place): Html => html`<a href="/pocket/${pocket_id}">${name}</a>`;

/** The answer for the place that leads, before anything else of the page. */
function answerPart(site: Site, { places, asked }: HomeAnswers): Html {
  const [first] = places.pockets;
  const clock = clockFrom(places.captured_at, site.zone);
  const answer =
    first && !places.place && asked.order === 'calm' && asked.offset === 0
      ? leadAnswer(site, asked.q ? first : leadingPlace(places, first), places, clock)
      : null;
  return html`${answer}<p class="lead" data-now>${lead(site, places)}</p>`;
}

/** At night everything is closed: a window that lasts into the day leads, or the next one of the day. */
function leadAnswer({ zone }: Site, leading: Place, places: HomeAnswers['places'], clock: Clock): Html {
  if (!places.night)
    return html`<p class="advice answer go-${leading.advice}">${adviceWords(leading, clock)}</p>${openLine(leading)}`;
  const lasting = places.pockets.find(
    ({ expected, window }) =>
      expected && window && lastsIntoDay(Date.parse(window.ends_at), Date.parse(expected.at), zone),
  );
  if (lasting)
    return html`<p class="advice answer">Most places are closed. Calm into the day: ${placeLink(lasting)}. ${adviceWords(lasting, clock)}</p>`;
  const soonest = places.pockets
    .filter(({ next_window }) => next_window !== null)
    .toSorted((a, b) => (a.next_window?.starts_at ?? '').localeCompare(b.next_window?.starts_at ?? ''))[0];
  return soonest?.next_window
    ? html`<p class="advice answer">Most places are closed. First in the day: ${placeLink(soonest)}, ${windowWords(soonest.next_window, clock)}</p>`
    : html`<p class="advice answer">Most places are closed, and no calm window of the next days is known.</p>`;
}

function lead({ registry, zone }: Site, places: HomeAnswers['places']): Html {
  if (places.place) return nearWords(places);
  const { captured_at, pocket_count, speaking_count } = places;
  const what = html`${plural(pocket_count, 'small neighbourhood')} (${term('pocket', pocket_count === 1 ? 'pocket' : 'pockets')}) of ${registry.city.name}`;
  if (places.at !== null)
    return html`What to expect in ${what} then: up to three hours ahead from sealed forecasts, later from what is usual.`;
  if (captured_at === null) return html`None of the ${what} has a current reading.`;
  const worth =
    speaking_count === 0
      ? 'Nothing is worth interrupting anyone for.'
      : `${speaking_count === 1 ? 'One is' : `${speaking_count} are`} worth knowing about now.`;
  return html`${what}, read at ${clockTime(captured_at, zone)}. ${worth}`;
}

/** Beyond this many metres no pocket is near. */
const FAR = 5_000;

function nearWords({ place, pockets }: HomeAnswers['places']): Html {
  const nearest = pockets[0]?.distance_m ?? null;
  if (nearest === null || nearest > FAR)
    return html`No pocket is within five kilometres of ${place?.name ?? ''}.`;
  return html`The pockets nearest to ${place?.name ?? ''} come first, with their distance as the crow flies.`;
}

/** Where nothing is read, why: the status names what each feed lacks, a key included. */
function withoutCrowd({ pockets, captured_at, learning }: HomeAnswers['places']): Html | null {
  if (captured_at !== null || learning?.since) return null;
  const [why, ...others] = new Set(pockets.map(({ silent_because }) => silent_because));
  if (!why) return null;
  return html`<p class="note">${others.length ? 'Each place says what is missing.' : `${sentenceCase(why)}.`} <a href="/status#feeds">Status</a> names what each feed lacks.</p>`;
}

/** Marks show the state now or, for another time, whether calm is likely then. */
function mapCard(site: Site, places: HomeAnswers['places']): Html {
  const { outline, places: named, placesCredit } = site.registry;
  const then = places.at !== null;
  return html`
<figure class="map-card" data-map data-now>
${spotMap(
  'map',
  then ? `Map of the listed pockets ${whenWords(site, places)}` : 'Map of the listed pockets',
  `Each mark is a pocket, drawn where it is; north is up. Shape and colour show ${then ? 'whether calm is likely then' : 'its state; a ring means that it is worth knowing about now'}. A mark leads to its row in the list.`,
  places.pockets.map((place) => mapSpot(place, then)),
  outline,
  named,
)}
<figcaption><p class="keys">${then ? thenKeys : nowKeys}</p><p class="fingers">Two fingers move and zoom the map.</p>${mapCredits(outline, placesCredit)}</figcaption>
</figure>`;
}

const nowKeys = html`${stateKinds.map((kind) => html`<span>${stateMark(kind)}${kindWords[kind]}</span> `)}<span><i class="state-mark ring" aria-hidden="true"></i>Worth knowing about now</span>`;
const thenKeys = html`<span>${stateMark('calm')}Likely calm</span> <span>${stateMark('busy')}Less likely</span> <span>${stateMark('unread')}Not known</span>`;

const mapSpot = (place: Place, then: boolean) => ({
  address: `#p-${place.pocket_id}`,
  name: place.name,
  lat: place.lat,
  lng: place.lng,
  about: aboutSpot(place, then),
  kind: then ? chanceKind(place) : stateKind(place.primary_state),
  ringed: place.speaking && !then,
});

const chanceKind = ({ expected }: Place): StateKind =>
  expected === null ? 'unread' : expected.calm_probability >= LIKELY_CALM ? 'calm' : 'busy';

function aboutSpot({ expected, primary_state, speaking }: Place, then: boolean): string {
  if (then) return expected ? chanceText(expected.calm_probability) : 'not known';
  return primary_state
    ? `${stateWords[primary_state]}${speaking ? ', worth knowing about now' : ''}`
    : kindWords.unread;
}
