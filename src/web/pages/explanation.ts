import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { decisionId, getExplanation } from '../../operations/decision/get-explanation.ts';
import { scalar, spacedName } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { verdictMark } from '../parts/outcome.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { facts, meter, table } from '../parts/table.ts';
import { clockTime, dateTime } from '../parts/times.ts';

export const explanationQuestion = composeOperations('page_explanation', { id: decisionId }, ({ id }) => ({
  explanation: bindArguments(getExplanation, { id }),
}));

type Explanation = AnswerOf<typeof explanationQuestion>['explanation'];

export function explanationPage(site: Site, { explanation }: AnswerOf<typeof explanationQuestion>): string {
  const { decision, candidate_emission_text: line } = explanation;
  const title = titles[decision];
  return renderPage(site, {
    title,
    about:
      'one decision: what would have been said, for which reason it was not, and whether that was right.',
    path: `/explanations/${explanation.id}`,
    body: html`
<p class="crumb"><a href="/silence">silence</a> / ${pocketLink(site, explanation.pocket_id)}</p>
<h1>${title}</h1>
<p class="lead">${pocketLink(site, explanation.pocket_id)}, ${dateTime(explanation.decided_at, site.zone)}. ${lead(explanation)}</p>
${
  line === null
    ? html`<p>no line was drafted, and nothing is judged. ${'live_package' in explanation && explanation.live_package ? html`<a href="/explanations/emit:${explanation.live_package}">the line that was live</a>` : null}</p>`
    : html`<div class="columns">
<section class="card" aria-labelledby="line"><h2 id="line">${decision === 'emit' ? 'what was said' : 'what would have been said'}</h2>
<blockquote>${line}</blockquote>
${facts([
  ['confidence', scalar(explanation.candidate_confidence)],
  [
    'legitimacy',
    explanation.legitimacy.legitimacy_score.toFixed(1),
    `of 100; it speaks from ${explanation.legitimacy.emit_threshold}`,
  ],
])}</section>
<section class="card" aria-labelledby="right"><h2 id="right">was it right</h2>${verdict(explanation, site)}</section>
</div>`
}
${explanation.gates ? gates(explanation.gates, explanation.gate_closed) : null}
${seen(explanation)}
<p class="note">${'payload_hash' in explanation ? html`sealed as <code class="hash">${explanation.payload_hash}</code>: <a href="/ledger/${explanation.id.replace(/^silence:/, '')}">check the seal</a> · ` : null}<a href="/api/explanations/${explanation.id}">the whole record, for machines</a> · <a href="${provenanceOf(explanation)}">what the signals rest on</a></p>`,
  });
}

const provenanceOf = ({ pocket_id, decided_at }: Explanation): string =>
  `/api/provenance?${new URLSearchParams({ pocket: pocket_id, at: decided_at })}`;

const titles: Record<Explanation['decision'], string> = {
  emit: 'why it spoke',
  remain_silent: 'why it stayed silent',
  quiet_hours: 'why nothing was decided',
  already_speaking: 'why nothing was decided',
};

function lead({ decision, reason_text }: Explanation): string {
  if (decision === 'emit') return 'every gate was open.';
  return decision === 'remain_silent'
    ? `it was left in silence: ${reason_text}.`
    : `this is not a silence: ${reason_text}.`;
}

function verdict({ was_it_right: judged }: Explanation, { zone }: Site): Html {
  if (!judged) return html`<p>what was said is not judged by itself: equilibrium weighs what followed.</p>`;
  if (!judged.revealed)
    return html`<p>it is not known yet: it is judged at ${clockTime(judged.reveal_at, zone)}.</p>`;
  if (judged.vindicated === null) return html`<p>nobody can say: ${judged.reason}.</p>`;
  const minutes = judged.attention_minutes_preserved;
  return html`<p class="words">${verdictMark(judged.vindicated)}: ${judged.reason}.</p>${
    judged.vindicated && minutes
      ? html`<p class="note">an estimated ${minutes} minutes of passers-by's attention were left to them: of those who passed in the quarter hour one in 25 would have looked, for 15 seconds.</p>`
      : null
  }`;
}

const gates = (results: NonNullable<Explanation['gates']>, closed: ClosedGate | null): Html => html`
<h2 id="gates">the seven gates</h2>
<p>a line is said when all are open, in waking hours, while no line is live. a moment that asks for silence is checked first, then the others in this order; the first that is closed decides.</p>
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
      spacedName(gate),
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

function seen({ atmosphere, environment }: Explanation): Html {
  const measured = Object.entries(environment ?? {}).filter(
    ([name, value]) => typeof value === 'number' && name !== 'completeness',
  );
  return html`
<h2 id="seen">what it saw</h2>
${
  atmosphere
    ? facts([
        ['state', atmosphere.primary_state],
        ['calm level', scalar(atmosphere.calm)],
        ['stress', scalar(atmosphere.stress)],
        ...measured.map(
          ([name, value]) =>
            [spacedName(name.replace(/_(mm|c|pct|kmh)$/, '')), `${value}`, units[name] ?? null] as const,
        ),
      ])
    : html`<p>what was read then is no longer stored.</p>`
}`;
}
