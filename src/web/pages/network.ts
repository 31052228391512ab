import Type from 'typebox';
import { calmTurn } from '../../domain/atmosphere/calm-text.ts';
import type { Registry } from '../../domain/city/city.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getNetworkNow } from '../../operations/pocket/get-network-now.ts';
import { calmKind } from '../parts/calm-kind.ts';
import { bandWords, plural, stored } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { type Layout, layoutOf, spotMap } from '../parts/map.ts';
import type { Site } from '../parts/page.ts';
import { renderPage } from '../parts/page.ts';
import { meter } from '../parts/table.ts';
import { clockTime, formatDate } from '../parts/times.ts';

const orders = ['name', 'state', 'calm', 'index'] as const;
type Order = (typeof orders)[number];

export const networkQuestion = composeOperations(
  'page_network',
  { sort: Type.Enum([...orders], { default: 'name', description: 'the column to sort by' }) },
  () => ({ network: bindArguments(getNetworkNow) }),
);

type Answers = AnswerOf<typeof networkQuestion>;
type NetworkRow = Answers['network']['pockets'][number];

export function networkPage(site: Site, { network, asked }: Answers): string {
  const { captured_at, pockets } = network;
  return renderPage(site, {
    title: 'the network now',
    about: `${pockets.length} neighbourhoods of ${site.registry.city.name} as they are now: their state, their calm, and whether anything is said of them.`,
    path: '/',
    live: true,
    body: html`
<div class="front">
<div class="hero">
<h1>${headline(network)}</h1>
<p class="lead">${
      captured_at
        ? html`${plural(pockets.length, 'small neighbourhood')} of ${site.registry.city.name}, read at ${clockTime(captured_at, site.zone)}. ${spokenOf(network)}`
        : html`none of the ${pockets.length} pockets can be read just now.`
    }</p>
</div>
<div class="map-card">
${spotMap('map', 'a map of the pockets', 'each dot is a pocket where it lies, north up; the colour is its calm level, a ring means that something is said of it.', layoutFor(site.registry, pockets), pockets.map(spotOf))}
<p class="keys" aria-hidden="true"><span class="key c0">tense</span><span class="key c1"></span><span class="key c2"></span><span class="key c3"></span><span class="key c4">calm</span><span class="key ring">spoken of</span></p>
</div>
</div>
<h2 id="pockets">the pockets</h2>
${pocketTable(network, asked.sort)}
<p class="note">calm level: how calm it was at the last reading, 0 to 1. calm probability: how likely it is in a calm state through the half hour after it.</p>
<p class="note">${indexNote(network, site)}</p>`,
  });
}

function headline({ captured_at, speaking_count }: Answers['network']): string {
  if (!captured_at) return 'the city is not read just now';
  if (speaking_count === 0) return 'nothing needs saying just now';
  return `${speaking_count === 1 ? 'one neighbourhood is' : `${speaking_count} neighbourhoods are`} spoken of just now`;
}

function spokenOf({ speaking_count, silent_count, unread_count }: Answers['network']): string {
  const silent = `${speaking_count ? 'the other ' : 'all '}${silent_count} are left in silence, on purpose`;
  return `${silent}${unread_count ? `; ${unread_count} cannot be read` : ''}.`;
}

/** Layouts are cached by registry object: a registry is replaced as a whole, never changed. */
const layouts = new WeakMap<Registry, Layout>();

function layoutFor(registry: Registry, pockets: readonly NetworkRow[]): Layout {
  const layout = layouts.get(registry) ?? layoutOf(pockets);
  layouts.set(registry, layout);
  return layout;
}

const spotOf = (row: NetworkRow) => ({
  address: `/pocket/${row.pocket_id}`,
  name: row.name,
  lat: row.lat,
  lng: row.lng,
  about: `${row.primary_state ?? 'not read'}, calm level ${stored(row.calm_level)}, calm probability ${stored(row.calm_probability)}, ${row.speaking ? 'spoken of' : 'silent'}`,
  kind: `${calmKind(row.calm_level)}${row.speaking ? ' speaking' : ''}`,
});

const headings: Record<Order, string> = {
  name: 'pocket',
  state: 'state',
  calm: 'calm level',
  index: 'index today',
};

/** On a phone the rows are styled as cards; with explicit roles it is still a table for screen readers. */
const pocketTable = (network: Answers['network'], sort: Order): Html => html`
<table class="pockets" role="table" aria-labelledby="pockets">
<thead role="rowgroup"><tr role="row">${orders.map((order) => sortHeading(order, sort))}<th role="columnheader" scope="col">now</th></tr></thead>
<tbody role="rowgroup">${sorted(network.pockets, sort).map(pocketRow)}</tbody>
</table>`;

const directions: Record<Order, 'ascending' | 'descending'> = {
  name: 'ascending',
  state: 'ascending',
  calm: 'descending',
  index: 'descending',
};

const sortHeading = (order: Order, current: Order): Html =>
  html`<th role="columnheader" scope="col"${order === current ? html` aria-sort="${directions[order]}"` : null}><a href="/${order === 'name' ? '' : `?sort=${order}`}#pockets">${headings[order]}</a></th>`;

function sorted(rows: readonly NetworkRow[], order: Order): NetworkRow[] {
  const figure = (row: NetworkRow) => (order === 'calm' ? row.calm_level : row.index_score) ?? -1;
  if (order === 'name') return [...rows];
  if (order === 'state')
    return rows.toSorted((a, b) => (a.primary_state ?? '~').localeCompare(b.primary_state ?? '~'));
  return rows.toSorted((a, b) => figure(b) - figure(a));
}

const pocketRow = (
  row: NetworkRow,
): Html => html`<tr role="row"${row.speaking ? html` class="speaking"` : null}>
<th role="rowheader" scope="row"><a href="/pocket/${row.pocket_id}">${row.name}</a> <small>${row.region}</small></th>
<td role="cell" class="state">${row.primary_state ?? 'not read'}</td>
<td role="cell" class="calm"><span class="what">calm level</span>${meter(row.calm_level, calmKind(row.calm_level))}<b>${stored(row.calm_level)}</b> <small>probability ${stored(row.calm_probability)}${turnOf(row)}</small></td>
<td role="cell" class="index"><span class="what">index</span>${row.index_score === null ? html`<span class="soft">no index</span>` : html`<b>${row.index_score.toFixed(0)}</b> <small>${row.index_band ? bandWords[row.index_band] : ''}</small>`}</td>
<td role="cell" class="status">${row.speaking ? html`<span class="sign speaking">speaking</span> ${row.line}` : html`<span class="sign">silent</span> <span class="soft">${row.silent_because ?? ''}</span>`}</td>
</tr>
`;

/** Said where the state and the calm probability seem to disagree. */
function turnOf({ primary_state, calm_probability, calm_level, calm_change }: NetworkRow): string {
  if (primary_state === null || calm_probability === null || calm_level === null || calm_change === null)
    return '';
  const turn = calmTurn({ primary_state, calm_probability, calm_level, calm_change });
  return turn ? `: ${turn}` : '';
}

const indexNote = ({ index }: Answers['network'], { zone }: Site): Html =>
  index.count
    ? html`the legitimacy index of ${formatDate(index.reading_date)}, 0 to 100, tells how far speaking could be justified on the day: from 70 it could be, under 40 silence is better. the next is composed at ${clockTime(index.next_reading_at, zone)}.`
    : html`today's legitimacy index is composed at ${clockTime(index.next_reading_at, zone)}.`;
