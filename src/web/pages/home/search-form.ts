// The form of the first page. It is an ordinary GET form, so that every answer has an address and needs no script.
import { isWakingHour } from '../../../domain/time/waking-hours.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import type { Asked } from './question.ts';

export const searchForm = (site: Site, captured_at: string | null, asked: Asked): Html => html`
<form class="ask" role="search" action="/">
<p class="find"><label for="q">Find a place</label><input id="q" name="q" type="search" maxlength="80" value="${asked.q}" autocomplete="off"><button>Show</button></p>
<p class="options"><label>When ${select('at', hourOptions(site, captured_at), asked.at === undefined ? '' : String(asked.at))}</label>
<label>For ${select('intent', intentOptions(site), asked.intent ?? '')}</label>
<label>Order ${select('sort', orders, asked.sort)}</label>
<button type="button" class="plain scripted near">Near me</button></p>
<p class="note scripted" role="status"></p>
</form>`;

type Option = readonly [value: string, words: string];

const orders: readonly Option[] = [
  ['calm', 'Calmest first'],
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

/** The waking hours of the next day, from the one after the newest reading. */
function hourOptions({ zone }: Site, captured_at: string | null): readonly Option[] {
  const from = captured_at === null ? 0 : Math.floor(zone.hourOfDay(Date.parse(captured_at))) + 1;
  const hours = Array.from({ length: 24 }, (_, n) => from + n);
  return [
    ['', 'Now'],
    ...hours
      .filter((hour) => isWakingHour(hour % 24))
      .map(
        (hour): Option => [
          String(hour % 24),
          `${String(hour % 24).padStart(2, '0')}:00${hour < 24 ? '' : ' tomorrow'}`,
        ],
      ),
  ];
}
