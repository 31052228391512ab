import { type PocketSignal, pocketSignals, senseWords } from '../../../domain/atmosphere/signal.ts';
import { HORIZONS } from '../../../domain/prediction/prediction.ts';
import { SMALLEST_COUNT } from '../../../domain/stats/small-count-suppression.ts';
import { EMIT_WORDS } from '../../../domain/text/voice.ts';
import {
  bindArguments,
  composeOperations,
  nullWithoutStore,
} from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { getLedgerHistory, sentenceOf } from '../../../operations/prediction/get-ledger-history.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { table } from '../../parts/table.ts';

const measured: Record<PocketSignal, string> = {
  rain_mm: 'rain',
  temperature_c: 'temperature',
  humidity_pct: 'humidity',
  pm25: 'fine dust in the air',
  footfall: 'people passing',
  transit_crowding: 'how full stations are',
  traffic_speed_kmh: 'speed of traffic',
  carpark_occupancy: 'how full car parks are',
};

export const aboutQuestion = composeOperations(
  'page_about',
  {},
  () => ({
    ledger: nullWithoutStore(bindArguments(getLedgerHistory)),
  }),
  { readsLog: true },
);

export const aboutPage = (site: Site, { ledger }: AnswerOf<typeof aboutQuestion>): string =>
  renderPage(site, {
    title: 'about',
    about: 'what is observed, what never is, and how the content may be used.',
    path: '/about',
    body: html`
<h1>watching, and mostly saying nothing</h1>
<p class="lead">pocketwatch reads how ${site.registry.pockets.length} small neighbourhoods of ${site.registry.city.name} feel, and decides each quarter hour whether anything about them is worth anyone's attention. mostly it is not.</p>
${ledger && html`<p>what it forecast and what it left unsaid is in a public <a href="/ledger">ledger</a>. ${sentenceOf(ledger, site.zone)} <a href="/api/ledger/history">for machines</a></p>`}
<h2 id="how">how it works</h2>
<ol>
<li>every quarter hour the signals of each pocket become a reading: calm, stress, social energy, and one of eight states.</li>
<li>from the reading a moment is composed, and one line is drafted that could be said.</li>
<li>at night, and while an earlier line is live, nothing is decided. else the moment itself and seven gates are asked whether saying it is justified; the first that objects is the reason of the silence.</li>
<li>the silence is sealed with the line that was not said, and judged by what happened in the next hour.</li>
<li>each pocket is forecast ${HORIZONS.join(', ')} minutes ahead, every quarter hour. the forecast is sealed in the <a href="/ledger">ledger</a> with a naive guess beside it, and both are <a href="/accuracy">scored</a>.</li>
</ol>
<h2 id="observed">what is observed</h2>
${table(
  'what is observed of each pocket',
  [{ name: 'signal' }, { name: 'unit' }],
  Object.entries(pocketSignals).map(([kind, { unit }]) => ({
    cells: [measured[kind as PocketSignal], unit],
  })),
)}
<p>and, where they exist, how busy outlets are as a share of what they can hold, and how many people called a place ${senseWords.join(', ')}.</p>
<h2 id="never">what never is</h2>
<ul>
<li>no person. nothing about anyone is stored: no name, no address, no device, no path.</li>
<li>no count under ${SMALLEST_COUNT} of people or outlets, nor one from which such a count would follow.</li>
<li>no outlet by name in anything that adds several up. only an outlet's own page names it.</li>
<li>no guess in the place of a measurement: what was not observed is a gap, and nothing to average is not zero.</li>
</ul>
<h2 id="substrate">where the signals come from</h2>
<p><strong>substrate: ${site.substrate}.</strong> ${
      site.substrate === 'simulated'
        ? 'no live feed is configured here, so the signals come from a deterministic model of the city. the pockets and their coordinates are real; the weather, the crowds, the outlets and the readings are not. every answer and every page says so.'
        : 'every answer and every page says so.'
    } <a href="/feeds">feeds, and whose they are</a></p>
<h2 id="voice">how it speaks</h2>
<p>lowercase and observational, never a call to action. what it says of a place has at most ${EMIT_WORDS} words and is composed from templates: no language model writes it.</p>
<h2 id="licence">how it may be used</h2>
<p>everything here is <a rel="license" href="/LICENSE-CONTENT.md">CC BY-NC-ND 4.0</a>: it may be quoted with attribution, not for commerce and not changed, unless the operator of this address allows it.</p>
${dataOf(site)}
<h2 id="further">further</h2>
<ul class="links"><li><a href="/docs">how to ask over REST</a></li><li><a href="/mcp">connect over MCP</a></li><li><a href="/benchmark">benchmark</a></li><li><a href="/trust">trust</a></li></ul>`,
  });

/** Licence and contact of the city's data, where its file states them. */
function dataOf({ registry: { city } }: Site): Html {
  const { licence, contact } = city;
  const terms = licence && html`<p>the data behind it: <a href="${licence.url}">${licence.name}</a>.</p>`;
  return html`${terms ?? null}${contact ? html`<p>questions about the data: ${contact}</p>` : null}`;
}
