import { HORIZONS } from '../../../domain/prediction/prediction.ts';
import { type PocketSignal, pocketSignals, senseWords } from '../../../domain/signals/signal.ts';
import { SMALLEST_COUNT } from '../../../domain/stats/small-count-suppression.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { EMIT_WORDS } from '../../../domain/text/voice.ts';
import {
  bindArguments,
  composeOperations,
  nullWithoutStore,
} from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { getLedgerHistory, ledgerSentence } from '../../../operations/prediction/get-ledger-history.ts';
import { type Html, html } from '../../parts/html.ts';
import { dataName, renderPage, type Site } from '../../parts/page.ts';
import { table } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { signalNames } from '../pocket/words.ts';

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
    title: 'About',
    about: 'What is observed, what never is, and how the content may be used.',
    path: '/about',
    body: html`
<h1>Watching, and speaking when it is worth it</h1>
<p class="lead">Pocketwatch measures how ${site.registry.pockets.length} small neighbourhoods (${term('pocket', 'pockets')}) of ${site.registry.city.name} feel, and decides every quarter hour whether anything about them is worth anyone's attention. <a href="/silence">How much of the time something was said</a></p>
${ledger && html`<p>Its forecasts, its lines, its decisions to stay silent and the verdicts on them are in a public <a href="/ledger">ledger</a>. ${sentenceCase(ledgerSentence(ledger, site.zone))} <a href="/api/ledger/history">JSON</a></p>`}
<h2 id="how">How it works</h2>
<ol>
<li>Every quarter hour the ${term('signal', 'signals')} of each pocket become a ${term('reading')}: calm, stress, social energy and one of eight ${term('primary state', 'states')}.</li>
<li>From the reading a ${term('moment')} is computed, and one line that could be said is drafted (the ${term('candidate')}).</li>
<li>At night, and while an earlier line is live, nothing is decided. Otherwise the moment itself and seven ${term('gate', 'gates')} are checked; the first that is closed is the ${term('reason')} for the ${term('silence')}.</li>
<li>The line, or the silence with the line that was not said, is ${term('seal', 'sealed')}. What happened until the end that the line named, or would have named, decides whether it was right (${term('verdict')}). <a href="/trust#decisions">How often it was</a></li>
<li>Each pocket is forecast ${HORIZONS.join(', ')} minutes ahead, every quarter hour. The forecast is sealed in the <a href="/ledger">ledger</a> together with a ${term('naive baseline')}, and both are <a href="/accuracy">scored</a>.</li>
</ol>
<h2 id="observed">What is observed</h2>
${table(
  'What is observed of each pocket',
  ['Signal', 'Unit'],
  Object.entries(pocketSignals).map(([kind, { unit }]) => ({
    cells: [signalNames[kind as PocketSignal], unit],
  })),
)}
<p>Also, where they exist: how busy ${term('outlet', 'outlets')} are, as a share of what they can hold, and how many people called a place ${senseWords.join(', ')}.</p>
<h2 id="never">What is never observed or shown</h2>
<ul>
<li>No person. Nothing about anyone is stored: no name, no address, no device, no path.</li>
<li>No count under ${SMALLEST_COUNT} of people or outlets, nor one from which such a count could be derived.</li>
<li>No outlet by name in a figure about several of them. Only the directory and an outlet's own page name it.</li>
<li>No guess in place of a measurement: what was not observed is shown as a gap, never as zero.</li>
</ul>
<h2 id="substrate">Where the data comes from</h2>
<p><strong>${dataName(site.substrate)}.</strong> ${
      site.substrate === 'simulated'
        ? 'No live feed is configured here, so the signals come from a deterministic model of the city. The pockets and their coordinates are real; the weather, the crowds, the outlets and the readings are not. Every answer and every page says so.'
        : 'Every answer and every page says so.'
    } <a href="/feeds">Feeds and their publishers</a></p>
<h2 id="voice">How it speaks</h2>
<p>Lines that the service composes are lowercase, observational and never a call to action; pages set them apart like this:</p>
<blockquote>a calm hour; the street is slow.</blockquote>
<p>What it says about a place has at most ${EMIT_WORDS} words and is composed from templates: no language model writes it. Everything else on these pages is ordinary text. Every term is defined in the <a href="/glossary">glossary</a>.</p>
<h2 id="licence">How it may be used</h2>
<p>Everything here is <a rel="license" href="/LICENSE-CONTENT.md">CC BY-NC-ND 4.0</a>: it may be quoted with attribution, unchanged and not for commercial use, unless the operator of this site allows more.</p>
${dataTerms(site)}
<h2 id="further">Further reading</h2>
<ul class="links"><li><a href="/docs">API docs</a></li><li><a href="/mcp">Connect over MCP</a></li><li><a href="/benchmark">Benchmark</a></li><li><a href="/trust">Trust</a></li></ul>`,
  });

/** Licence and contact of the city's data, where its file states them. */
function dataTerms({ registry: { city } }: Site): Html {
  const { licence, contact } = city;
  const terms = licence && html`<p>The data behind it: <a href="${licence.url}">${licence.name}</a>.</p>`;
  return html`${terms ?? null}${contact ? html`<p>Questions about the data: ${contact}</p>` : null}`;
}
