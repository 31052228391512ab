import { whenWritten } from '../../domain/prediction/written.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { entryId, getLedgerEntry } from '../../operations/prediction/get-ledger-entry.ts';
import { getLedgerHistory, sentenceOf } from '../../operations/prediction/get-ledger-history.ts';
import { listLedgerEntries } from '../../operations/prediction/list-ledger-entries.ts';
import { count, scalar, spacedName } from '../parts/format.ts';
import { type Html, html, type Piece } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { forecastText, observedText } from '../parts/outcome.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { clockTime, dateOnly, dateTime } from '../parts/times.ts';
import { assets } from '../site/assets.ts';

export const ledgerQuestion = composeOperations(
  'page_ledger',
  {},
  () => ({
    newest: bindArguments(listLedgerEntries, { limit: 24 }),
    history: bindArguments(getLedgerHistory),
  }),
  { readsLog: true },
);

export const entryQuestion = composeOperations(
  'page_ledger_entry',
  { id: entryId },
  ({ id }) => ({
    entry: bindArguments(getLedgerEntry, { id }),
  }),
  { readsLog: true },
);

type Newest = AnswerOf<typeof ledgerQuestion>;
type Entry = AnswerOf<typeof entryQuestion>['entry'];
type Payload = Entry['payload'];
type Forecast = Extract<Payload, { type: 'prediction' }>;
type Reveal = Extract<Payload, { type: 'reveal' }>;

export const ledgerPage = (site: Site, { newest, history: written }: Newest): string =>
  renderPage(site, {
    title: 'ledger',
    about:
      'every forecast, reveal, silence and submission, in one public Merkle tree, with the time it was written.',
    path: '/ledger',
    body: html`
<h1>what was sealed, and when</h1>
<p class="lead">${sentenceOf(written, site.zone)}</p>
<p>every forecast, reveal, silence and submission is hashed into one public tree, with the real time at which that was done. nothing in it can be changed afterwards without the change being seen.${
      written.history
        ? html` the history is of ${dateTime(written.history.first_slot, site.zone)} to ${dateTime(written.history.last_slot, site.zone)} and ends at leaf ${count(written.history.last_leaf)}: it shows how the service works, not that it foresaw anything.`
        : null
    }</p>
${facts([
  [
    'entries',
    newest.tree_size === null ? 'none yet' : count(newest.tree_size),
    `${count(written.reveals)} of them reveals`,
  ],
  ['sealed before their outcome', count(written.sealed_before_outcome)],
  ['written afterwards', count(written.written_afterwards)],
  [
    'last checkpoint',
    written.checkpoint ? clockTime(written.checkpoint.written_at, site.zone) : 'none yet',
    written.checkpoint && html`${dateOnly(written.checkpoint.written_at, site.zone)}, real time, signed`,
  ],
  ['hash', 'SHA-256', 'of RFC 8785 canonical JSON'],
  ['tree', 'RFC 6962', 'served as C2SP tiles'],
  ['signature', 'Ed25519', 'on every checkpoint'],
])}
<h2 id="newest">sealed last</h2>
${
  newest.entries.length
    ? table(
        'forecasts sealed last',
        [
          { name: 'for' },
          { name: 'pocket' },
          { name: 'forecast' },
          { name: 'written' },
          { name: 'leaf', figures: true },
        ],
        newest.entries.flatMap((entry) =>
          entry.payload.type === 'prediction' ? [forecastRow(site, entry, entry.payload)] : [],
        ),
      )
    : html`<p>nothing is sealed yet.</p>`
}
<h2 id="verify">check it from outside</h2>
<p>each entry has a page that recomputes its hash and its place in the tree in the browser. the whole log can be read and checked by another machine:</p>
<pre tabindex="0">npx pocketwatch verify ${site.baseUrl}</pre>
${newest.checkpoint ? html`<p>the last checkpoint, as it is signed:</p><pre tabindex="0">${newest.checkpoint}</pre>` : null}
<p class="note"><a href="/api/ledger/key">public key</a>${newest.checkpoint ? html` · <a href="/api/ledger/checkpoint">checkpoint</a>` : null} · <a href="/api/ledger/entries">for machines</a> · <a href="/api/ledger/history">what was written afterwards</a></p>`,
  });

const forecastRow = (
  site: Site,
  { id, leaf_index }: Newest['newest']['entries'][number],
  payload: Forecast,
) => ({
  cells: [
    html`<a href="/ledger/${id}">${clockTime(payload.reveal_at, site.zone)}</a>`,
    pocketLink(site, payload.pocket_id),
    spacedName(payload.generator),
    payload.backfilled ? 'as history' : 'live',
    count(leaf_index),
  ],
});

const titles: Record<Entry['type'], string> = {
  prediction: 'a sealed forecast',
  reveal: 'what became of a forecast',
  silence: 'a sealed silence',
  submission: 'a sealed submission',
  key: 'a change of the key',
};

export function entryPage(site: Site, { entry }: AnswerOf<typeof entryQuestion>): string {
  const title = titles[entry.type];
  return renderPage(site, {
    title,
    about: 'one entry of the public ledger, whose hash and place in the tree the browser recomputes.',
    path: `/ledger/${entry.id}`,
    scripts: [assets.ledgerScript.address],
    body: html`
<p class="crumb"><a href="/ledger">ledger</a> / leaf ${count(entry.leaf_index)}</p>
<h1>${title}</h1>
<p class="lead">${leadOf(site, entry)}</p>
${facts([...factsOf(site, entry), writtenFact(site, entry)])}
<h2 id="check">is it what was sealed</h2>
<section class="card" id="proof" data-id="${entry.id}" data-hash="${entry.payload_hash}" aria-live="polite">
<p class="verified">with JavaScript the browser checks this by itself; how to do it by hand is described below.</p>
<ol class="steps">
<li data-step="payload"><b>the payload</b>, written as canonical JSON, hashes to the seal.<output></output></li>
<li data-step="leaf"><b>the entry</b> with that seal hashes to its leaf.<output></output></li>
<li data-step="root"><b>the leaf and its neighbours</b>, folded pair by pair, give the root of the tree.<output></output></li>
<li data-step="checkpoint"><b>the root</b> is the one in the log's checkpoint.<output></output></li>
<li data-step="signature"><b>the checkpoint</b> is signed by the log's key.<output></output></li>
<li data-step="written"><b>the time of writing</b>, sealed in the payload, tells whether its outcome was known.<output></output></li>
</ol>
</section>
<h3>by hand</h3>
<p>this text is what was hashed; its SHA-256 is the seal:</p>
<pre class="wrap" tabindex="0">printf '%s' '${entry.canonical.replaceAll("'", "'\\''")}' | sha256sum</pre>
<p class="hash">seal <code>${entry.payload_hash}</code></p>
<p class="note"><a href="/api/ledger/proof/${entry.id}">its proof</a> · <a href="/api/ledger/key">public key</a> · <a href="/api/ledger/entry/${entry.id}">for machines</a></p>`,
  });
}

function leadOf(site: Site, { id, payload }: Entry): Html {
  switch (payload.type) {
    case 'prediction':
      return html`${pocketLink(site, payload.pocket_id)}, sealed for ${dateTime(payload.sealed_at, site.zone)}, to be compared with what is read at ${clockTime(payload.reveal_at, site.zone)}.`;
    case 'silence':
      return html`${pocketLink(site, payload.pocket_id)}, ${dateTime(payload.sealed_at, site.zone)}: a line was drafted and not said. <a href="/explanations/silence:${id}">why it stayed silent</a>`;
    case 'submission':
      return html`forecasts of “${payload.submitter_name}”, sealed ${dateTime(payload.sealed_at, site.zone)}; public when their window has closed. <a href="/benchmark">the board</a>`;
    case 'key':
      return html`from this entry on another key signs the checkpoints; ${payload.endorsement === null ? 'the old key was lost and has not signed the change.' : 'the old key has signed the change.'}`;
    case 'reveal':
      return html`revealed ${dateTime(payload.revealed_at, site.zone)}; it is the outcome of <a href="/ledger/${id.replace(/:reveal$/, '')}">this forecast</a>.`;
  }
}

function factsOf({ zone }: Site, { payload, outcome }: Entry): [Piece, Piece, Piece?][] {
  switch (payload.type) {
    case 'prediction':
      return [
        ['what', spacedName(payload.generator)],
        ['forecast', forecastText(payload.forecast)],
        ['confidence', scalar(payload.confidence)],
        outcome ? outcomeFact(outcome.payload, outcome.id) : ['came', 'not yet known'],
      ];
    case 'silence':
      return [['the line', payload.candidate_emission_text]];
    case 'submission':
      return [
        ['forecasts', count(payload.prediction_count)],
        ['window ends', dateTime(payload.prediction_window_end, zone)],
      ];
    case 'key':
      return [
        ['old key', keyIdOf(payload.old_key)],
        ['new key', keyIdOf(payload.new_key)],
      ];
    case 'reveal':
      return [outcomeFact(payload)];
  }
}

/** A verifier key is name+id+key. */
const keyIdOf = (verifierKey: string): string => verifierKey.split('+')[1] ?? '';

const writtenFact = ({ zone }: Site, { written_at, payload }: Entry): [Piece, Piece, Piece] => [
  'written',
  clockTime(written_at, zone),
  html`${dateOnly(written_at, zone)}, ${whenWritten(payload)}`,
];

/** `id` is the entry of the reveal, given where the page shows the forecast and links to it. */
function outcomeFact({ actual_observation, accuracy_score }: Reveal, id?: string): [Piece, Piece, Piece] {
  const score = accuracy_score === null ? 'inconclusive' : `accuracy ${scalar(accuracy_score)}`;
  return [
    'came',
    observedText(actual_observation),
    id ? html`${score}, <a href="/ledger/${id}">sealed too</a>` : score,
  ];
}
