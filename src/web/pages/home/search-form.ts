// The form of the first page. It is an ordinary GET form, so that every answer has an address and needs no script.

import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { dayNames } from '../../../domain/time/periods.ts';
import { DAY } from '../../../domain/time/slot.ts';
import { isWakingHour } from '../../../domain/time/waking-hours.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { formatDate } from '../../parts/times.ts';
import type { Asked } from './question.ts';

export const searchForm = (site: Site, captured_at: string | null, asked: Asked): Html => html`
<form class="ask" role="search" action="/">
<p class="find"><label for="q">Find a place</label><input id="q" name="q" type="search" maxlength="80" value="${asked.q}" autocomplete="off" list="names"><button>Show</button></p>
<p class="options">${whenFields(site, captured_at, asked)}
<label>For ${select('intent', intentOptions(site), asked.intent ?? '')}</label>
<label>Order ${select('order', orders, asked.order)}</label>
${site.registry.places.length ? html`<label>Near <input name="near" maxlength="80" value="${asked.near ?? ''}" autocomplete="off" list="names" placeholder="Station or street"></label>` : null}</p>
${nameList(site)}
<p class="note scripted" role="status"></p>
</form>`;

/** The day and the hour, as the comparison asks for them too. */
export const whenFields = (
  site: Site,
  captured_at: string | null,
  { day, at }: Pick<Asked, 'day' | 'at'>,
): Html => html`<label>Day ${select('day', dayOptions(site, captured_at), day ?? '')}</label>
<label>Hour ${select('at', hourOptions, at === undefined ? '' : String(at))}</label>`;

/** More names would make the page heavy. */
const MAX_NAMES = 100;

/** Names of pockets to choose from while typing; home.js replaces them by all names (name-suggestions.ts). */
const nameList = ({ registry: { pockets } }: Site): Html =>
  html`<datalist id="names">${pockets.length > MAX_NAMES ? null : pockets.map(({ name }) => html`<option>${name}`)}</datalist>`;

type Option = readonly [value: string, words: string];

const orders: readonly Option[] = [
  ['calm', 'Calmest first'],
  ['near', 'Nearest first'],
  ['name', 'By name'],
];

const select = (name: string, options: readonly Option[], chosen: string): Html =>
  html`<select name="${name}">${options.map(([value, words]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${words}</option>`)}</select>`;

const intentOptions = ({ registry }: Site): readonly Option[] => [
  ['', 'Any purpose'],
  ...registry.intents
    .filter(({ public_page }) => public_page)
    .map(({ slug, title }): Option => [slug, title]),
];

/** Today and the six days after it. */
function dayOptions({ zone }: Site, captured_at: string | null): readonly Option[] {
  if (captured_at === null) return [['', 'Today']];
  const today = zone.atLocal(zone.localDate(Date.parse(captured_at)), '12:00');
  return Array.from({ length: 7 }, (_, n): Option => {
    const at = today + n * DAY;
    const date = zone.localDate(at);
    const name = sentenceCase(dayNames[zone.weekday(at)] ?? '');
    const words =
      n === 0 ? 'Today' : n === 1 ? 'Tomorrow' : `${name} ${formatDate(date).replace(/ \d{4}$/, '')}`;
    return [n === 0 ? '' : date, words];
  });
}

/** Now, and the waking hours; one that has passed today is that of tomorrow. */
const hourOptions: readonly Option[] = [
  ['', 'Now'],
  ...Array.from({ length: 24 }, (_, hour) => hour)
    .filter(isWakingHour)
    .map((hour): Option => [String(hour), `${String(hour).padStart(2, '0')}:00`]),
];
