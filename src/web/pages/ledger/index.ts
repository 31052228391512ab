// The page of the ledger: check an id, a hash or a receipt, and read the record by pocket and time. Both are forms that
// work without a script.

import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { ledgerSentence } from '../../../operations/prediction/get-ledger-history.ts';
import { citationPart } from '../../parts/citation.ts';
import { count } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { facts } from '../../parts/table.ts';
import { clockTime, dateOnly, dateTime } from '../../parts/times.ts';
import { copyable } from '../../share/copyable.ts';
import { checkForm, checkResult } from './check.ts';
import { entriesPart } from './entries.ts';
import type { LedgerAnswers } from './question.ts';

export const ledgerPage = (site: Site, answers: LedgerAnswers): string => {
  const { check, history: written } = answers;
  return renderPage(site, {
    title: 'Ledger',
    about:
      'Every forecast, line, silence, outcome, verdict and submission in one public log: search it by id, hash, pocket and time, and check a receipt.',
    path: '/ledger',
    body: html`
<h1>Ledger: what was sealed, and when</h1>
<p class="lead">Every forecast, line, silence, outcome, verdict and submission is hashed into one public log with the real time of writing. Nothing in it can be changed afterwards without the change being seen.</p>
${checkForm(answers)}
${check === null ? null : checkResult(site, check)}
${entriesPart(site, answers)}
<h2 id="size">What the log holds</h2>
<p>${sentenceCase(ledgerSentence(written, site.zone))}</p>
${facts([
  ['Entries', count(written.tree_size), `${count(written.reveals)} of them outcomes of forecasts`],
  ['Sealed before their outcome', count(written.sealed_before_outcome), 'proof of foresight'],
  ['Written afterwards', count(written.written_afterwards), 'not proof of foresight'],
  [
    'Last checkpoint',
    written.checkpoint ? clockTime(written.checkpoint.written_at, site.zone) : 'none yet',
    written.checkpoint && html`${dateOnly(written.checkpoint.written_at, site.zone)}, real time, signed`,
  ],
])}
${historyPart(site, answers)}
<h2 id="terms">Terms</h2>
<dl class="terms">
<dt id="seal">Seal, payload hash</dt><dd>SHA-256 of the payload as canonical JSON (RFC 8785). Any change of the payload gives another hash.</dd>
<dt id="leaf">Leaf, leaf hash</dt><dd>An entry is a leaf of a Merkle tree (RFC 6962); its number is its place in the log, counted from 0, and its leaf hash covers id, type, seal and payload.</dd>
<dt id="checkpoint">Checkpoint</dt><dd>Size and root of the tree, signed with Ed25519 after every quarter hour. Whoever keeps one can prove later that nothing before it was changed.</dd>
<dt id="reveal">Reveal</dt><dd>The outcome of a forecast, sealed as an entry of its own. A forecast is never edited.</dd>
<dt id="receipt">Receipt</dt><dd>What the service answered to a submission, or the JSON of an entry or its proof.</dd>
</dl>
<h2 id="verify">Check everything from outside</h2>
<p>Each entry has a page on which the browser recomputes its hash and its place in the log. Another machine can read and check the whole log, and the figures published from it:</p>
${copyable(`npx pocketwatch verify ${site.baseUrl}`, 'Command')}
<p class="note">${written.checkpoint ? html`<a href="/api/ledger/checkpoint">Signed checkpoint</a> · ` : null}<a href="/api/ledger/key">Public key</a> · <a href="/api/ledger/entries">Newest entries as JSON</a> · <a href="/api/ledger/history">Counts as JSON</a> · <a href="/api/predictions?format=csv&amp;since=30d">Forecasts as CSV</a> · <a href="/accuracy#dictionary">Data dictionary</a> · <a href="/docs">API docs</a></p>
${citationPart(site, { title: 'Ledger of sealed forecasts, outcomes and silences', path: '/ledger', date: written.checkpoint && site.zone.localDate(Date.parse(written.checkpoint.written_at)) })}`,
  });
};

function historyPart({ zone }: Site, { history: { history } }: LedgerAnswers): Html | null {
  if (!history) return null;
  return html`<p>Entries up to leaf ${count(history.last_leaf)} were written at the first start, as a simulated history of ${dateTime(history.first_slot, zone)} to ${dateTime(history.last_slot, zone)}. They show how the service works, not that it foresaw anything.</p>`;
}
