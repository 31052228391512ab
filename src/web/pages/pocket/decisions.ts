// What was said on a day, what was not, and why: one sentence for each run of quarter hours.
import type { Zone } from '../../../domain/time/zone.ts';
import { type Html, html } from '../../parts/html.ts';
import type { DayAnswer } from './question.ts';
import { clock, clockSpan } from './words.ts';

type Decision = DayAnswer['decisions'][number];

/** Newest first, `limit` at most. */
export function decisionList(decisions: readonly Decision[], zone: Zone, limit = decisions.length): Html {
  if (!decisions.length) return html`<p>Nothing was decided here on this day.</p>`;
  return html`<ol class="decisions">${decisions
    .toReversed()
    .slice(0, limit)
    .map((decision) => html`<li>${decisionItem(decision, zone)}</li>\n`)}</ol>`;
}

function decisionItem({ from, to, kind, reason_text, text, explanation }: Decision, zone: Zone): Html {
  const why = explanation === null ? null : html` <a href="${new URL(explanation).pathname}">Why</a>`;
  const when = html`<b>${kind === 'emit' ? clock(from, zone) : clockSpan(from, to, zone)}</b>`;
  if (kind === 'emit') return html`${when} Said:${why}<blockquote>${text ?? ''}</blockquote>`;
  return html`${when} ${opening[kind]}: ${reason_text ?? ''}.${why}`;
}

const opening: Record<Exclude<Decision['kind'], 'emit'>, string> = {
  silence: 'Not said',
  already_speaking: 'Nothing to decide',
  quiet_hours: 'Nothing to decide',
  no_moment: 'No decision',
};
