// The page of one entry, on which the browser checks its proof (assets/ledger.js).

import { whenWritten } from '../../../domain/prediction/written.ts';
import { verdictText } from '../../../domain/verdict/verdict.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { entryId, getLedgerEntry } from '../../../operations/prediction/get-ledger-entry.ts';
import { count, scalar } from '../../parts/format.ts';
import { type Html, html, type Piece } from '../../parts/html.ts';
import { pocketLink } from '../../parts/links.ts';
import { forecastText, observedText } from '../../parts/outcome.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { facts } from '../../parts/table.ts';
import { clockTime, dateOnly, dateTime } from '../../parts/times.ts';
import { copyable } from '../../share/copyable.ts';
import { assets } from '../../site/assets.ts';
import { type Entry, forecastSubject } from './words.ts';

export const entryQuestion = composeOperations(
  'page_ledger_entry',
  { id: entryId },
  ({ id }) => ({
    entry: bindArguments(getLedgerEntry, { id }),
  }),
  { readsLog: true },
);

type Payload = Entry['payload'];
type Reveal = Extract<Payload, { type: 'reveal' }>;

const titles: Record<Entry['type'], string> = {
  prediction: 'A sealed forecast',
  reveal: 'What became of a forecast',
  line: 'A sealed line',
  silence: 'A sealed silence',
  verdict: 'The verdict on a decision',
  submission: 'A sealed submission',
  key: 'A change of the key',
};

export function entryPage(site: Site, { entry }: AnswerOf<typeof entryQuestion>): string {
  const title = titles[entry.type];
  return renderPage(site, {
    title,
    about: 'One entry of the public ledger: the browser recomputes its hash and its place in the log.',
    path: `/ledger/${entry.id}`,
    scripts: [assets.ledgerScript.address],
    body: html`
<p class="crumb"><a href="/ledger">Ledger</a> / leaf ${count(entry.leaf_index)}</p>
<h1>${title}</h1>
<p class="lead">${entryLead(site, entry)}</p>
${facts([...entryFacts(site, entry), writtenFact(site, entry)])}
<h2 id="check">Is it what was sealed?</h2>
<section class="card" id="proof" data-id="${entry.id}" data-hash="${entry.payload_hash}" aria-live="polite">
<p class="verified">With JavaScript, the browser checks this itself. How to check by hand is described below.</p>
<ol class="steps">
<li data-step="payload"><b>The payload</b>, written as canonical JSON, hashes to the seal.<output></output></li>
<li data-step="leaf"><b>The entry</b> with that seal hashes to its leaf.<output></output></li>
<li data-step="root"><b>The leaf and its neighbours</b>, folded pair by pair, give the root of the tree.<output></output></li>
<li data-step="checkpoint"><b>The root</b> is the one in the log's checkpoint.<output></output></li>
<li data-step="signature"><b>The checkpoint</b> is signed by the log's key.<output></output></li>
<li data-step="written"><b>The time of writing</b>, sealed in the payload, shows whether its outcome was known.<output></output></li>
</ol>
</section>
<h3>By hand</h3>
<p>This text was hashed; its SHA-256 is the seal:</p>
${copyable(`printf '%s' '${entry.canonical.replaceAll("'", "'\\''")}' | sha256sum`, 'Command')}
<p class="hash">Seal: <code>${entry.payload_hash}</code></p>
<p class="note"><a href="/api/ledger/proof/${entry.id}">Proof as JSON</a> · <a href="/api/ledger/entry/${entry.id}">Entry as JSON</a> · <a href="/api/ledger/key">Public key</a> · <a href="/ledger#terms">Terms</a></p>`,
  });
}

function entryLead(site: Site, { id, payload }: Entry): Html {
  switch (payload.type) {
    case 'prediction':
      return html`${pocketLink(site, payload.pocket_id)}, forecast at ${dateTime(payload.sealed_at, site.zone)} for ${clockTime(payload.reveal_at, site.zone)}, when it is compared with what is observed.`;
    case 'silence':
      return html`${pocketLink(site, payload.pocket_id)}, ${dateTime(payload.sealed_at, site.zone)}: a line was drafted and not published. <a href="/explanations/silence:${id}">Why nothing was said</a>`;
    case 'line':
      return html`${pocketLink(site, payload.pocket_id)}, ${dateTime(payload.sealed_at, site.zone)}: said, until ${clockTime(payload.window_end, site.zone)}. <a href="/explanations/emit:${id}">Why it was said, and whether it served</a>`;
    case 'verdict':
      return html`${pocketLink(site, payload.pocket_id)}, judged ${dateTime(payload.revealed_at, site.zone)}: ${verdictText(payload.decision === 'line', payload.outcome)}. <a href="/ledger/${payload.decision_id}">The ${payload.decision} that was judged</a>`;
    case 'submission':
      return html`Forecasts of “${payload.submitter_name}”, sealed ${dateTime(payload.sealed_at, site.zone)}; public when their window has closed. <a href="/benchmark">Benchmark</a>`;
    case 'key':
      return html`From this entry on another key signs the checkpoints. ${payload.endorsement === null ? 'The old key was lost and has not signed the change.' : 'The old key has signed the change.'}`;
    case 'reveal':
      return html`Observed ${dateTime(payload.revealed_at, site.zone)}: the outcome of <a href="/ledger/${id.replace(/:reveal$/, '')}">this forecast</a>.`;
  }
}

function entryFacts({ zone }: Site, { payload, outcome }: Entry): [Piece, Piece, Piece?][] {
  switch (payload.type) {
    case 'prediction':
      return [
        ['What', forecastSubject(payload)],
        ['Forecast', forecastText(payload.forecast)],
        ['Confidence', scalar(payload.confidence)],
        outcome ? outcomeFact(outcome.payload, outcome.id) : ['Outcome', 'not known yet'],
      ];
    case 'silence':
      return [['Line not published', html`<q>${payload.candidate_emission_text}</q>`]];
    case 'line':
      return [
        ['Line', html`<q>${payload.text}</q>`],
        ['Live until', clockTime(payload.window_end, zone), dateOnly(payload.window_end, zone)],
      ];
    case 'verdict':
      return [
        ['Verdict', verdictText(payload.decision === 'line', payload.outcome)],
        ['Decided', clockTime(payload.decided_at, zone), dateOnly(payload.decided_at, zone)],
      ];
    case 'submission':
      return [
        ['Forecasts', count(payload.prediction_count)],
        ['Window ends', dateTime(payload.prediction_window_end, zone)],
      ];
    case 'key':
      return [
        ['Old key', keyId(payload.old_key)],
        ['New key', keyId(payload.new_key)],
      ];
    case 'reveal':
      return [outcomeFact(payload)];
  }
}

/** A verifier key is name+id+key. */
const keyId = (verifierKey: string): string => verifierKey.split('+')[1] ?? '';

const writtenFact = ({ zone }: Site, { written_at, payload }: Entry): [Piece, Piece, Piece] => [
  'Written',
  clockTime(written_at, zone),
  html`${dateOnly(written_at, zone)}, ${whenWritten(payload)}`,
];

/** `id` is the entry of the reveal, given where the page shows the forecast and links to it. */
function outcomeFact({ actual_observation, accuracy_score }: Reveal, id?: string): [Piece, Piece, Piece] {
  const score = accuracy_score === null ? 'inconclusive' : `score ${scalar(accuracy_score)}`;
  return [
    'Outcome',
    observedText(actual_observation),
    id ? html`${score}, <a href="/ledger/${id}">sealed too</a>` : score,
  ];
}
