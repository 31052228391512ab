import { type ClosedGate, closedBecause } from '../../domain/decision/decision-text.ts';
import { asking, composeOperations } from '../../operations/core/compose-operations.ts';
import { decisionRef, getExplanation } from '../../operations/decision/get-explanation.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { facts, meter, table } from '../parts/table.ts';
import { clockTime, timeOf } from '../parts/times.ts';
import { plain, scalar } from '../parts/words.ts';
import { verdictOf } from './silence.ts';

export const explanationQuestion = composeOperations('page_explanation', { id: decisionRef }, ({ id }) => ({
  told: asking(getExplanation, { id }),
}));

interface Told {
  id: string;
  pocket_id: string;
  decision: string;
  decided_at: string;
  gate_closed: ClosedGate | null;
  gates: Record<string, { passed: boolean; score: number }> | null;
  legitimacy: { legitimacy_score: number; band: string; emit_threshold: number };
  candidate_emission_text: string;
  candidate_confidence: number;
  was_it_right: null | {
    revealed: boolean;
    vindicated: boolean | null;
    reveal_at?: string;
    reason?: string;
    attention_minutes_preserved?: number | null;
  };
  payload_hash?: string;
  atmosphere: null | { calm: number; stress: number; primary_state: string };
  environment: null | Record<string, unknown>;
}

interface Answers {
  told: Told;
}

export function explanationPage(site: Site, { told }: Answers): string {
  const spoke = told.decision === 'emit';
  return renderPage(site, {
    title: spoke ? 'why it spoke' : 'why it stayed silent',
    about: 'one decision: what would have been said, which gate closed, and whether it was right.',
    path: `/explanations/${told.id}`,
    body: html`
<p class="crumb"><a href="/silence">silence</a> / ${pocketLink(site, told.pocket_id)}</p>
<h1>${spoke ? 'why it spoke' : 'why it stayed silent'}</h1>
<p class="lead">${pocketLink(site, told.pocket_id)}, ${timeOf(told.decided_at)}. ${told.gate_closed ? `it was left in silence: ${closedBecause[told.gate_closed]}.` : 'every gate was open.'}</p>
<div class="columns">
<section class="card" aria-labelledby="line"><h2 id="line">${spoke ? 'what was said' : 'what would have been said'}</h2>
<blockquote>${told.candidate_emission_text}</blockquote>
${facts([
  ['confidence', scalar(told.candidate_confidence)],
  [
    'legitimacy',
    told.legitimacy.legitimacy_score.toFixed(1),
    `of 100; it speaks from ${told.legitimacy.emit_threshold}`,
  ],
])}</section>
<section class="card" aria-labelledby="right"><h2 id="right">was it right</h2>${verdict(told)}</section>
</div>
${told.gates ? gates(told.gates, told.gate_closed) : null}
${seen(told)}
<p class="note">${told.payload_hash ? html`sealed as <code class="hash">${told.payload_hash}</code>: <a href="/ledger/${told.id.replace(/^silence:/, '')}">check the seal</a> · ` : null}<a href="/api/explanations/${told.id}">the whole record, for machines</a></p>`,
  });
}

function verdict({ was_it_right: judged, decision }: Told): Html {
  if (!judged)
    return html`<p>${decision === 'emit' ? 'what was said is not judged by itself: equilibrium weighs what followed.' : 'it is not known yet.'}</p>`;
  if (!judged.revealed)
    return html`<p>it is not known yet${judged.reveal_at ? html`: it is judged at ${clockTime(judged.reveal_at)}` : null}.</p>`;
  if (judged.vindicated === null) return html`<p>nobody can say: ${judged.reason ?? ''}.</p>`;
  const minutes = judged.attention_minutes_preserved;
  return html`<p class="words">${verdictOf(judged.vindicated)}: ${judged.reason ?? ''}.</p>${
    judged.vindicated && minutes
      ? html`<p class="note">some ${minutes} minutes of attention were left to people.</p>`
      : null
  }`;
}

const gates = (results: NonNullable<Told['gates']>, closed: ClosedGate | null): Html => html`
<h2 id="gates">the seven gates</h2>
<p>a line is said when all are open. the first that closes decides.</p>
${table(
  'the seven gates',
  [
    { name: 'gate' },
    { name: 'as a bar', unseen: true },
    { name: 'score', figures: true },
    { name: 'open or closed', unseen: true },
  ],
  Object.entries(results).map(([gate, { passed, score }]) => ({
    cells: [
      plain(gate),
      meter(score, passed ? 'plain' : 'c0'),
      scalar(score),
      passed ? 'open' : gate === closed ? html`<strong>closed, and decided</strong>` : 'closed',
    ],
  })),
)}`;

const units: Record<string, string> = {
  rain_mm: 'mm',
  temperature_c: '°C',
  humidity_pct: '%',
  pm25: 'µg/m³',
  footfall: 'an hour',
  traffic_speed_kmh: 'km/h',
};

function seen({ atmosphere, environment }: Told): Html {
  const measured = Object.entries(environment ?? {}).filter(
    ([name, value]) => typeof value === 'number' && name !== 'completeness',
  );
  return html`
<h2 id="seen">what it saw</h2>
${
  atmosphere
    ? facts([
        ['state', atmosphere.primary_state],
        ['calm', scalar(atmosphere.calm)],
        ['stress', scalar(atmosphere.stress)],
        ...measured.map(
          ([name, value]) =>
            [plain(name.replace(/_(mm|c|pct|kmh)$/, '')), `${value}`, units[name] ?? null] as const,
        ),
      ])
    : html`<p>what was read then is no longer at hand.</p>`
}`;
}
