// The last weeks as a heat map, an hour a column and a day a row. It is a table, so that it can be read without colour;
// heat-map.js shows the figure of a cell that is tapped, pointed at or reached with the arrow keys.

import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { calmKind } from '../../parts/calm-kind.ts';
import { scalar } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { term } from '../../parts/terms.ts';
import { formatDate } from '../../parts/times.ts';
import type { PocketAnswers } from './question.ts';
import { sourceLine } from './words.ts';

type Calendar = Omit<PocketAnswers['calendar'], 'last_week'>;

const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
const shades: readonly (readonly [kind: string, text: string])[] = [
  ['c0', 'under 0.2'],
  ['c1', '0.2'],
  ['c2', '0.4'],
  ['c3', '0.6'],
  ['c4', '0.8 or more'],
  ['unread', 'no reading'],
];

export function calendarPart({ pocket_id, weeks, days }: Calendar): Html {
  const first = days.findIndex(({ calm }) => calm.some((level) => level !== null));
  if (first < 0) return html`<p>Nothing has been read here yet.</p>`;
  // Up to today: a day without a reading is a row of empty cells.
  const shown = days.slice(first);
  return html`
<figure class="week-map">
<p class="readout scripted" role="status">Tap or point at a cell to read it.</p>
<table class="week-map" tabindex="0" aria-label="Calm level by hour and day; use the arrow keys to read a cell">
<caption class="unseen">Mean calm level of each hour of the last ${weeks} weeks</caption>
<thead><tr><th scope="col"><span class="unseen">Day</span></th>${hours.map((hour) => html`<th scope=col>${hour}`)}</thead>
<tbody>${shown.toReversed().map((day) => dayRow(pocket_id, day))}</tbody>
</table>
<p class="keys">${shades.map(([kind, text]) => html`<span class="key ${kind}">${text}</span>`)}</p>
<figcaption><p>The mean ${term('calm level', 'calm level')} of each hour, newest day first. A day leads to its history.</p>
${sourceLine(`The last ${weeks} weeks.`, `/api/pocket-calendar?pocket=${pocket_id}`)}</figcaption>
</figure>`;
}

/** End tags and quotes that HTML does not need are left out: with so many cells they would double the page. */
const dayRow = (pocket: string, { date, weekday, calm }: Calendar['days'][number]): Html =>
  html`<tr><th scope=row><a href="/pocket/${pocket}/${date}">${sentenceCase(weekday.slice(0, 3))} ${formatDate(date).replace(/ \d+$/, '')}</a>${calm.map(
    (level) => (level === null ? html`<td>` : html`<td class=${calmKind(level)}>${scalar(level)}`),
  )}\n`;
