// The check of an id, a hash or a receipt: the form, and what the log says about it.
import type { QueryProblem } from '../../../domain/prediction/ledger-query.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import type { checkLedger } from '../../../operations/ledger/check-ledger.ts';
import { count } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { table } from '../../parts/table.ts';
import { dateTime } from '../../parts/times.ts';
import type { LedgerAnswers } from './question.ts';
import { typeNames } from './words.ts';

type Check = AnswerOf<typeof checkLedger>;

export const checkForm = ({ asked }: Pick<LedgerAnswers, 'asked'>): Html => html`
<form class="panel" action="/ledger#result" role="search" aria-label="Check an entry">
<label for="q">Check an id, a hash or a receipt</label>
<textarea id="q" name="q" rows="3" maxlength="8000" required spellcheck="false" autocapitalize="off" aria-describedby="q-help">${asked.q ?? ''}</textarea>
<p class="note" id="q-help">The id or address of an entry, its payload hash or leaf hash (the first 8 digits are enough), or a receipt as JSON.</p>
<button>Check</button>
</form>`;

const problems: Record<QueryProblem, string> = {
  hash_too_short: 'A hash is looked up by its first 8 hex digits or more.',
  hash_too_long: 'A SHA-256 hash has 64 hex digits; this has more.',
  not_json: 'This begins like JSON but is not valid JSON: perhaps a part is missing.',
  names_no_entry: 'This JSON has no id, submission_id, payload_hash, leaf_hash or payload to look up.',
  other_text: 'This is not an id, a hash or a receipt of the ledger.',
};

const kinds: Record<Check['kind'], string> = {
  id: 'an id',
  hash: 'a hash',
  receipt: 'a receipt',
  unreadable: 'an unknown text',
};

const verdicts: Record<Check['verdict'], { kind: string; title: string }> = {
  in_log: { kind: 'right', title: 'In the log' },
  differs: { kind: 'wrong', title: 'The log says something else' },
  not_in_log: { kind: 'wrong', title: 'Not in the log' },
  unreadable: { kind: '', title: 'Cannot be looked up' },
};

export function checkResult(site: Site, check: Check): Html {
  const { kind, title } = verdicts[check.verdict];
  return html`
<section class="card" aria-labelledby="result">
<h2 id="result" class="verified ${kind}">${title}</h2>
<p>${sentence(check)}</p>
${check.entries.length ? entriesTable(site, check) : null}
${check.checks.length ? checksList(check) : null}
</section>`;
}

function sentence({ verdict, kind, problem, entries, tree_size }: Check): string {
  const log = tree_size === null ? 'The log is empty' : `The log has ${count(tree_size)} entries`;
  if (problem !== null) return problems[problem];
  if (verdict === 'not_in_log') return `This was read as ${kinds[kind]}. ${log}, and none of them has it.`;
  if (verdict === 'differs')
    return 'The receipt names an entry that is in the log, but it does not agree with the entry in every field.';
  if (kind === 'receipt') return 'The receipt names an entry of the log and agrees with it in every field.';
  return entries.length === 1
    ? `This is ${kinds[kind]} of one entry of the log.`
    : `${count(entries.length)} entries have a hash that begins like this: more digits would tell them apart.`;
}

const matched = { id: 'id', payload_hash: 'payload hash', leaf_hash: 'leaf hash' } as const;

const entriesTable = (site: Site, { entries }: Check): Html =>
  table(
    'entries found',
    ['Entry', 'Found by', { name: 'Leaf', figures: true }, 'Written', 'Proof'],
    entries.map((entry) => ({
      cells: [
        html`<a href="/ledger/${entry.id}">${typeNames[entry.type]}</a> <small class="id">${entry.id}</small>`,
        matched[entry.matched],
        count(entry.leaf_index),
        dateTime(entry.written_at, site.zone),
        html`<a href="/ledger/${entry.id}#check">Check here</a> · <a href="/api/ledger/proof/${entry.id}">JSON</a>`,
      ],
    })),
  );

const checksList = ({ checks }: Check): Html => html`
<ol class="steps">${checks.map(({ field, holds }) => html`<li class="${holds ? 'right' : 'wrong'}"><b>${field}</b> ${holds ? 'agrees with the log.' : 'is not what the log holds.'}</li>`)}</ol>`;
