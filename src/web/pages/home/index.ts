// The first page: where it is calm now, and where it will be; a list and a map of the same pockets.

import type { Outline } from '../../../domain/city/outline.ts';
import { spotMap } from '../../charts/map.ts';
import { plural, sentenceCase, stored } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { learningNote } from '../../parts/learning-note.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { kindWords, stateKind, stateKinds, stateMark, stateWords } from '../../parts/place-words.ts';
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
<p class="lead" data-now>${lead(site, answers)}</p>
${learningNote(site, places.learning)}${withoutCrowd(places)}
${searchForm(site, places.captured_at, asked)}
</div>
${places.pockets.length ? mapCard(site, places.pockets) : null}
</div>
${placeList(site, answers)}`,
  });
}

function headline({ registry, zone }: Site, { places, asked }: HomeAnswers): string {
  const [first] = places.pockets;
  const when = places.at === null ? 'now' : `at ${zone.clockOf(Date.parse(places.at))}`;
  if (asked.q) return `${first ? 'Places that match' : 'No place matches'} “${asked.q}”`;
  if (!first) return asked.intent ? `No place suits that ${when}` : 'No places to show';
  if (places.captured_at === null && places.at === null) return `No reading of ${registry.city.name} now`;
  if (places.pocket_count === 1) return `${first.name} ${when}`;
  if (asked.sort === 'name' || asked.offset > 0) return `${registry.city.name} ${when}`;
  const known = places.at === null ? first.calm_level : first.at_hour;
  return known === null ? `Not enough data to say what is usual ${when}` : `Calmest ${when}: ${first.name}`;
}

function lead({ registry, zone }: Site, { places }: HomeAnswers): Html {
  const { captured_at, pocket_count, speaking_count } = places;
  const what = html`${plural(pocket_count, 'small neighbourhood')} (${term('pocket', pocket_count === 1 ? 'pocket' : 'pockets')}) of ${registry.city.name}`;
  if (captured_at === null) return html`None of the ${what} has a current reading.`;
  const worth =
    speaking_count === 0
      ? 'Nothing is worth interrupting anyone for.'
      : `${speaking_count === 1 ? 'One is' : `${speaking_count} are`} worth knowing about now.`;
  return html`How ${what} felt at ${clockTime(captured_at, zone)}, and when each is likely to be calm. ${worth}`;
}

/** Where nothing is read, why: the status names what each feed lacks, a key included. */
function withoutCrowd({ pockets, captured_at, learning }: HomeAnswers['places']): Html | null {
  if (captured_at !== null || learning?.since) return null;
  const [why, ...others] = new Set(pockets.map(({ silent_because }) => silent_because));
  if (!why) return null;
  return html`<p class="note">${others.length ? 'Each place says what is missing.' : `${sentenceCase(why)}.`} <a href="/status#feeds">Status</a> names what each feed lacks.</p>`;
}

const mapCard = ({ registry: { outline } }: Site, pockets: readonly Place[]): Html => html`
<figure class="map-card" data-map data-now>
${spotMap(
  'map',
  'Map of the listed pockets',
  'Each mark is a pocket where it lies, north up. Shape and colour show its state; a ring means that it is worth knowing about now. A mark leads to its row in the list.',
  pockets.map(spotOf),
  outline,
)}
<figcaption><p class="keys">${stateKinds.map((kind) => html`<span>${stateMark(kind)}${kindWords[kind]}</span> `)}<span><i class="state-mark ring" aria-hidden="true"></i>Worth knowing about now</span></p><p class="fingers">Two fingers move and zoom the map.</p>${outline ? coastNote(outline) : null}</figcaption>
</figure>`;

/** The attribution that the licence of the outline asks for. */
const coastNote = ({ source, licence }: Outline): Html =>
  html`<p class="credit">Coast: <a href="${source.url}">${source.attribution}</a>, <a href="${licence.url}">${licence.name}</a></p>`;

const spotOf = (place: Place) => ({
  address: `#p-${place.pocket_id}`,
  name: place.name,
  lat: place.lat,
  lng: place.lng,
  about: place.primary_state
    ? `${stateWords[place.primary_state]}, calm level ${stored(place.calm_level)}${place.speaking ? ', worth knowing about now' : ''}`
    : kindWords.unread,
  kind: stateKind(place.primary_state),
  ringed: place.speaking,
});
