// Two to four pockets side by side: now, usual, the next three hours, and what was measured.

import Type from 'typebox';
import { chanceText } from '../../domain/atmosphere/calm-band.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { listCalmWindows } from '../../operations/visit/list-calm-windows.ts';
import { PAGE_OF_POCKETS } from '../../operations/visit/visit-answer.ts';
import {
  adviceWords,
  type Clock,
  clockFrom,
  timeWords,
  windowWords,
} from '../../operations/visit/visit-words.ts';
import { count, wholePercent } from '../parts/format.ts';
import { type Html, html, type Piece } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { openLine, stateKind, stateMark, stateWords, usualWords } from '../parts/place-words.ts';
import { meter } from '../parts/table.ts';
import { clockTime } from '../parts/times.ts';
import { whenFields } from './home/search-form.ts';

const MAX_COMPARED = 4;

export const compareQuestion = composeOperations(
  'page_compare',
  {
    pockets: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: PAGE_OF_POCKETS,
        description: 'two to four pocket ids; of a longer list, the first four are compared',
      }),
    ),
    day: Type.Optional(
      Type.String({ maxLength: 10, description: 'a day within the next week, as YYYY-MM-DD' }),
    ),
    at: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: 'hour of the clock' })),
  },
  // Without any, the first two of the list, so that the address alone shows what the page is for.
  ({ pockets, day, at }) => ({
    places: bindArguments(listCalmWindows, {
      ...(pockets?.length ? { pockets: pockets.slice(0, MAX_COMPARED) } : { limit: 2 }),
      ...(day && { day }),
      ...(at !== undefined && { hour: at }),
    }),
  }),
);

type Answers = AnswerOf<typeof compareQuestion>;
type Place = Answers['places']['pockets'][number];

export function comparePage(site: Site, { places, asked }: Answers): string {
  const { pockets } = places;
  const names = pockets.map(({ name }) => name).join(', ');
  return renderPage(site, {
    title: 'Compare pockets',
    about: 'Two to four neighbourhoods side by side: now, against their usual, and in the next three hours.',
    path: '/compare',
    live: true,
    body: html`
<p class="crumb"><a href="/">All pockets</a></p>
<h1>${asked.pockets?.length && names ? `Compare ${names}` : 'Compare pockets'}</h1>
${(asked.pockets?.length ?? 0) > MAX_COMPARED ? html`<p class="note old" role="status">At most ${MAX_COMPARED} pockets fit side by side: these are the first ${MAX_COMPARED} of ${asked.pockets?.length ?? 0}. Choose others below.</p>` : null}
<p class="lead" data-now>${leadWords(site, places)}</p>
${pockets.length ? comparison(site, places) : null}
${chooser(site, places, asked)}
<p class="note">The next three hours come from <a href="/ledger">sealed forecasts</a>; “usually” is how often that hour of the week was calm, not a forecast. <a href="/api/windows?pockets=${pockets.map(({ pocket_id }) => pocket_id).join(',')}">JSON</a></p>`,
  });
}

/** On a phone each pocket is a card; with explicit roles it is still a table for screen readers. */
function comparison({ zone }: Site, { pockets, captured_at, at }: Answers['places']): Html {
  const clock = clockFrom(captured_at, zone);
  const rows: [name: string, cell: (place: Place) => Piece][] = [
    [
      at === null ? 'Now' : sentenceCase(timeWords(at, captured_at, zone)),
      (place) => adviceWords(place, clock),
    ],
    ['Open then', (place) => openLine(place) ?? 'Fewer than five places are listed'],
    ...(at === null ? presentRows(pockets, clock) : []),
    [
      'Next calm window',
      ({ next_window: next }) =>
        next ? sentenceCase(windowWords(next, clock)) : 'None known in the next week',
    ],
  ];
  return html`
<table class="compared" role="table" data-now><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col"><span class="unseen">Figure</span></th>${pockets.map(({ pocket_id, name }) => html`<th role="columnheader" scope="col"><a href="/pocket/${pocket_id}">${name}</a></th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    ([name, cell]) =>
      html`<tr role="row"><th role="rowheader" scope="row">${name}</th>${pockets.map((place) => html`<td role="cell"><span class="of" aria-hidden="true">${place.name}</span>${cell(place)}</td>`)}</tr>\n`,
  )}</tbody></table>`;
}

/** What is known of the present alone. */
function presentRows(
  pockets: readonly Place[],
  clock: Clock,
): [name: string, cell: (place: Place) => Piece][] {
  return [
    ['How it feels', nowCell],
    ...hourRows(pockets, clock),
    [
      'Rain',
      ({ rain_mm, primary_state: state }) =>
        rain_mm === null ? notMeasured(state) : `${rain_mm.toFixed(1)} mm in a quarter hour`,
    ],
    [
      'Temperature',
      ({ temperature_c: c, primary_state: state }) =>
        c === null ? notMeasured(state) : `${c.toFixed(1)} °C`,
    ],
    ['Crowd', crowdCell],
    ['Said now', (place) => saidCell(place, clock)],
  ];
}

function leadWords({ zone }: Site, { at, captured_at }: Answers['places']): Piece {
  if (at !== null) return `What is expected ${timeWords(at, captured_at, zone)}.`;
  return captured_at === null
    ? 'None of them has a current reading.'
    : html`Now: the readings of ${clockTime(captured_at, zone)}.`;
}

/** Weather is shown with the reading that it belongs to. */
const notMeasured = (state: Place['primary_state']): string =>
  state === null ? 'No current reading' : 'Not measured';

const nowCell = ({ primary_state: state, calm_level, against_usual, silent_because }: Place): Piece =>
  state === null
    ? sentenceCase(silent_because ?? 'not enough recent data')
    : html`${stateMark(stateKind(state))}${stateWords[state]}<br><span class="level">${meter(calm_level, stateKind(state))}</span>${against_usual ? html`<br>${usualWords(against_usual)}` : null}`;

/** A row for each time that one of them has a forecast for. */
function hourRows(pockets: readonly Place[], clock: Clock): [name: string, cell: (place: Place) => Piece][] {
  const times = [...new Set(pockets.flatMap(({ ahead }) => ahead.map(({ at }) => at)))].sort();
  return times.map((time) => [
    `At ${clock(time)}`,
    ({ ahead }) => {
      const forecast = ahead.find(({ at }) => at === time);
      return forecast
        ? html`${stateWords[forecast.expected_state]}, <a href="/ledger/${forecast.prediction_id}">${chanceText(forecast.calm_probability)}</a>`
        : 'No forecast';
    },
  ]);
}

const crowdCell = ({ footfall, crowd }: Place): string => {
  if (footfall !== null) return `${count(Math.round(footfall))} people an hour`;
  return crowd === null ? 'Not counted, or fewer than five' : `${wholePercent(crowd)} of its usual peak`;
};

const saidCell = ({ line, line_at, silent_because }: Place, clock: Clock): Piece =>
  line === null
    ? html`Nothing${silent_because ? html`: <span class="voice">${silent_because}</span>` : null}`
    : html`<span class="voice">${line}</span>${line_at && html` <small>Said at ${clock(line_at)}</small>`}`;

/** Chooses the pockets, without a script. A city of thousands is chosen from its list instead. */
function chooser(site: Site, { pockets, captured_at }: Answers['places'], asked: Answers['asked']): Html {
  const { registry } = site;
  if (registry.pockets.length > 100)
    return html`<p><a href="/">Mark other pockets in the list to compare them.</a></p>`;
  const chosen = new Set(pockets.map(({ pocket_id }) => pocket_id));
  return html`
<form class="chooser" action="/compare"><fieldset><legend>Pockets to compare, two to four</legend>
${registry.pockets
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  .map(
    ({ id, name }) =>
      html`<label><input type="checkbox" name="pockets" value="${id}"${chosen.has(id) ? html` checked` : null}>${name}</label>\n`,
  )}</fieldset><p class="options">${whenFields(site, captured_at, asked)}</p><button>Compare</button></form>`;
}
