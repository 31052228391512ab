import { type Html, html } from './html.ts';
import { renderPage } from './page.ts';
import { timeOf } from './times.ts';

interface Explanation {
  id: string;
  pocket_id: string;
  decision: string;
  decided_at: string;
  summary: string;
  gate_closed: string | null;
  gates: Record<string, { passed: boolean; score: number }> | null;
  legitimacy: { legitimacy_score: number; band: string };
  candidate_emission_text: string;
  was_it_right: null | { revealed: boolean; vindicated: boolean | null; reason?: string };
  payload_hash?: string;
}

export const explanationPage = (told: Explanation, substrate: string): string =>
  renderPage({
    title: told.decision === 'emit' ? 'why it spoke' : 'why it stayed silent',
    substrate,
    body: html`
<p><a href="/pocket/${told.pocket_id}">${told.pocket_id}</a>, ${timeOf(told.decided_at)}. ${told.summary}</p>
<blockquote>${told.candidate_emission_text}</blockquote>
<p>Legitimacy ${told.legitimacy.legitimacy_score} of 100 (${told.legitimacy.band.replaceAll('_', ' ')}).</p>
${told.gates ? gates(told.gates) : ''}
<h2>Was it right?</h2>
<p>${verdict(told)}</p>
${told.payload_hash ? html`<p>Sealed as <code>${told.payload_hash}</code>.</p>` : ''}
<p><a href="/api/explanations/${told.id}">The whole record</a>, for machines.</p>`,
  });

const gates = (results: NonNullable<Explanation['gates']>): Html => html`
<div class="scroll"><table>
<thead><tr><th scope="col">gate</th><th scope="col">score</th><th scope="col"></th></tr></thead>
<tbody>${Object.entries(results).map(
  ([gate, { passed, score }]) =>
    html`<tr><td>${gate.replaceAll('_', ' ')}</td><td>${score}</td><td>${passed ? 'open' : 'closed'}</td></tr>`,
)}</tbody>
</table></div>`;

function verdict({ was_it_right, decision }: Explanation): string {
  if (!was_it_right) return decision === 'emit' ? 'What was said is not judged.' : 'Not known yet.';
  if (!was_it_right.revealed) return 'Not known yet.';
  if (was_it_right.vindicated === null) return `Nobody can say: ${was_it_right.reason ?? ''}.`;
  return `${was_it_right.vindicated ? 'Yes' : 'No'}: ${was_it_right.reason ?? ''}.`;
}
