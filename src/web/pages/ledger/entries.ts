// The record by type, pocket and time: the form, a page of entries, and the link to the next.
import { verdictText } from '../../../domain/verdict/verdict.ts';
import { count, scalar } from '../../parts/format.ts';
import { type Html, html, type Piece } from '../../parts/html.ts';
import { pocketLink } from '../../parts/links.ts';
import { forecastText, observedText } from '../../parts/outcome.ts';
import type { Site } from '../../parts/page.ts';
import { table } from '../../parts/table.ts';
import { dateTime } from '../../parts/times.ts';
import type { LedgerAnswers } from './question.ts';
import { forecastSubject, typeNames } from './words.ts';

type Listed = LedgerAnswers['found']['entries'][number];

const plurals: Record<LedgerAnswers['asked']['type'], string> = {
  prediction: 'Forecasts',
  reveal: 'Outcomes',
  line: 'Lines',
  silence: 'Silences',
  verdict: 'Verdicts',
  submission: 'Submissions',
};

/** More pockets than this are typed, not chosen: the list would outweigh the page. */
const MOST_OPTIONS = 200;

export const entriesPart = (site: Site, answers: LedgerAnswers): Html => {
  const { asked, found } = answers;
  return html`
<h2 id="entries">Search by pocket and time</h2>
${filterForm(site, answers)}
${
  found.entries.length
    ? table(
        `${plurals[asked.type]}, newest first`,
        [
          'Sealed for',
          'Pocket',
          'What',
          { name: 'Content', text: true },
          'Written',
          { name: 'Leaf', figures: true },
        ],
        found.entries.map((entry) => ({ cells: entryCells(site, entry) })),
      )
    : html`<p>${nothingFound(answers)}</p>`
}
${pageLinks(answers)}`;
};

/** Why the list is empty, as far as the question itself tells. */
function nothingFound({ asked, found }: LedgerAnswers): string {
  if (found.from !== null && found.to !== null && found.from > found.to)
    return 'No entry matches: “from” is later than “to”.';
  if (asked.type === 'submission' && asked.pocket_id !== undefined)
    return 'No entry matches: a submission is for several pockets and has none of its own.';
  if (asked.before !== undefined) return 'There are no older entries.';
  return found.tree_size === null ? 'The log is empty.' : 'No entry matches.';
}

function filterForm({ registry, zone }: Site, { asked }: LedgerAnswers): Html {
  const option = (value: string, name: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') ? html` selected` : null}>${name}</option>`;
  const pockets =
    registry.pockets.length <= MOST_OPTIONS
      ? html`<select id="pocket" name="pocket_id">${option('', 'Any pocket', asked.pocket_id)}${registry.pockets.map(({ id, name }) => option(id, name, asked.pocket_id))}</select>`
      : html`<input id="pocket" name="pocket_id" value="${asked.pocket_id ?? ''}" placeholder="Id of a pocket" maxlength="64">`;
  const time = (id: 'from' | 'to', words: string) =>
    html`<div><label for="${id}">${words}</label><input id="${id}" name="${id}" type="datetime-local" value="${formTime(asked[id], id)}"></div>`;
  return html`
<form class="panel filters" action="/ledger#entries">
<div><label for="type">Kind</label><select id="type" name="type">${Object.entries(plurals).map(([type, name]) => option(type, name, asked.type))}</select></div>
<div><label for="pocket">Pocket</label>${pockets}</div>
${time('from', `From (${zone.generalName})`)}
${time('to', `To (${zone.generalName})`)}
<button>Search</button>
</form>`;
}

/** A form takes a time with its clock; a date alone may stand in the address. */
const formTime = (text: string | undefined, end: 'from' | 'to'): string =>
  text === undefined ? '' : text.length > 10 ? text : `${text}T${end === 'from' ? '00:00' : '23:59'}`;

const entryCells = (site: Site, entry: Listed): Piece[] => {
  const { when, pocket, what, content } = describeEntry(site, entry);
  return [
    html`<a href="/ledger/${entry.id}">${dateTime(when, site.zone)}</a>`,
    pocket,
    what,
    content,
    entry.backfilled ? 'Afterwards' : dateTime(entry.written_at, site.zone),
    count(entry.leaf_index),
  ];
};

interface Shown {
  when: string;
  pocket: Piece;
  what: string;
  content: Piece;
}

function describeEntry(site: Site, { payload, type, id, written_at }: Listed): Shown {
  const what = typeNames[type];
  const linkTo = (id: string) => pocketLink(site, id);
  switch (payload.type) {
    case 'prediction':
      return {
        when: payload.reveal_at,
        pocket: linkTo(payload.pocket_id),
        what: forecastSubject(payload),
        content:
          'expected' in payload.forecast
            ? `Expected ${scalar(payload.forecast.expected)}`
            : forecastText(payload.forecast),
      };
    case 'reveal': {
      const pocket = id.replace(/-\d{8}T\d{4}Z.*$/, '');
      const score =
        payload.accuracy_score === null ? 'inconclusive' : `score ${scalar(payload.accuracy_score)}`;
      const content = `${observedText(payload.actual_observation)}; ${score}`;
      return { when: payload.revealed_at, pocket: linkTo(pocket), what, content };
    }
    case 'silence':
      return {
        when: payload.sealed_at,
        pocket: linkTo(payload.pocket_id),
        what,
        content: html`<a href="/explanations/silence:${id}">${payload.reason_text}</a>`,
      };
    case 'line':
      return {
        when: payload.sealed_at,
        pocket: linkTo(payload.pocket_id),
        what,
        content: html`<a href="/explanations/emit:${id}">${payload.text}</a>`,
      };
    case 'verdict':
      return {
        when: payload.revealed_at,
        pocket: linkTo(payload.pocket_id),
        what,
        content: verdictText(payload.decision === 'line', payload.outcome),
      };
    case 'submission':
      return {
        when: payload.sealed_at,
        pocket: 'All',
        what,
        content: html`“${payload.submitter_name}”, ${count(payload.prediction_count)} forecasts`,
      };
    case 'key':
      return { when: written_at, pocket: '', what, content: '' };
  }
}

/** Pages go by position, so that entries that are added meanwhile neither move nor repeat others. */
function pageLinks({ asked, found }: LedgerAnswers): Html | null {
  const { q: _check, before, ...filters } = asked;
  const at = (position: string | null) =>
    `/ledger?${new URLSearchParams({ ...filters, ...(position !== null && { before: position }) })}#entries`;
  if (before === undefined && found.next === null) return null;
  return html`
<nav aria-label="Pages of entries"><ul class="links">${before === undefined ? null : html`<li><a href="${at(null)}">Newest</a></li>`}${found.next === null ? null : html`<li><a href="${at(found.next)}" rel="next nofollow">Older</a></li>`}</ul></nav>`;
}
