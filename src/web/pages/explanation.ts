// The page of one decision: what was drafted, which gate closed by how much, and whether staying silent was right.
import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import { type Gate, gatesInOrder, gateThresholds } from '../../domain/decision/gates.ts';
import { RESONANCE_THRESHOLD } from '../../domain/decision/resonance.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { decisionId, getExplanation } from '../../operations/decision/get-explanation.ts';
import { againstThreshold, scalar, sentenceCase, spacedName, stored } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketLink, pocketName } from '../parts/links.ts';
import { verdictMark } from '../parts/outcome.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { stateWords } from '../parts/place-words.ts';
import { bars, facts } from '../parts/table.ts';
import { clockTime, dateTime } from '../parts/times.ts';

export const explanationQuestion = composeOperations('page_explanation', { id: decisionId }, ({ id }) => ({
  explanation: bindArguments(getExplanation, { id }),
}));

type Explanation = AnswerOf<typeof explanationQuestion>['explanation'];

export function explanationPage(site: Site, { explanation }: AnswerOf<typeof explanationQuestion>): string {
  const { decision, candidate_emission_text: line, pocket_id, legitimacy } = explanation;
  const title = titles[decision];
  return renderPage(site, {
    title: `${title}: ${pocketName(site, pocket_id)}`,
    about: 'One decision: what would have been said, why it was not, and whether that was right.',
    path: `/explanations/${explanation.id}`,
    body: html`
<p class="crumb"><a href="/silence">Silence</a> / ${pocketLink(site, pocket_id)}</p>
<h1>${title}</h1>
<p class="lead">${pocketLink(site, pocket_id)}, ${dateTime(explanation.decided_at, site.zone)}. ${lead(explanation)}</p>
${
  line === null
    ? html`<p>No line was drafted, and nothing is judged. ${'live_package' in explanation && explanation.live_package ? html`<a href="/explanations/emit:${explanation.live_package}">The line that was live</a>` : null}</p>`
    : html`<div class="columns">
<section class="card" aria-labelledby="line"><h2 id="line">${decision === 'emit' ? 'What was said' : 'What would have been said'}</h2>
<blockquote>${line}</blockquote>
${facts([
  ['Confidence', scalar(explanation.candidate_confidence), 'of the draft, 0 to 1'],
  [
    'Legitimacy',
    // It is stored with one decimal, so that this shows all of it.
    legitimacy.legitimacy_score.toFixed(1),
    `of 100; a line needs ${legitimacy.emit_threshold}`,
  ],
])}</section>
<section class="card" aria-labelledby="right"><h2 id="right">Was it right?</h2>${verdict(explanation, site)}</section>
</div>`
}
${explanation.gates ? gates(explanation.gates, explanation.gate_closed) : null}
${layers(explanation)}
${seen(explanation)}
<p class="note">${'payload_hash' in explanation ? html`Sealed as <code class="hash">${explanation.payload_hash}</code>: <a href="/ledger/${explanation.id.replace(/^silence:/, '')}">check the seal</a> · ` : null}<a href="/api/explanations/${explanation.id}">JSON</a> · <a href="${provenanceOf(explanation)}">Sources of the signals (JSON)</a></p>`,
  });
}

const provenanceOf = ({ pocket_id, decided_at }: Explanation): string =>
  `/api/provenance?${new URLSearchParams({ pocket: pocket_id, at: decided_at })}`;

const titles: Record<Explanation['decision'], string> = {
  emit: 'Why it spoke',
  remain_silent: 'Why nothing was said',
  quiet_hours: 'Why nothing was decided',
  already_speaking: 'Why nothing was decided',
};

function lead({ decision, reason_text }: Explanation): Html {
  if (decision === 'emit') return html`Every gate was open.`;
  return decision === 'remain_silent'
    ? html`The reason: <strong>${reason_text}</strong>.`
    : html`This does not count as a silence. The reason: <strong>${reason_text}</strong>.`;
}

function verdict({ was_it_right: judged }: Explanation, { zone }: Site): Html {
  if (!judged)
    return html`<p>Lines that were said are not judged one by one: the equilibrium of the pocket measures what followed.</p>`;
  if (!judged.revealed)
    return html`<p>Not known yet: it is judged at ${clockTime(judged.reveal_at, zone)}.</p>`;
  if (judged.vindicated === null) return html`<p>It could not be judged: ${judged.reason}.</p>`;
  const minutes = judged.attention_minutes_preserved;
  return html`<p class="words">${verdictMark(judged.vindicated)}: ${judged.reason}.</p>${
    judged.vindicated && minutes
      ? html`<p class="note">About ${minutes} minutes of attention were not taken. This is an estimate: of the people who passed in the quarter hour, one in 25 would have looked, for 15 seconds.</p>`
      : null
  }`;
}

/** What each gate asks. */
const gateQuestions: Record<Gate, string> = {
  resonance: 'Are there enough reasons to speak? The product of the seven layers below',
  moment_silence: 'Does the moment itself allow a line? 1 is yes, 0 is no',
  why_this_place: 'Is this place calmer than others, or than usual?',
  why_now: 'Would it matter now more than later?',
  why_this_person: 'Are there people nearby whom it would help?',
  why_worth_attention: 'Is it worth the attention it takes? Legitimacy, of 1',
  why_low_effort: 'Is it easy to get about?',
};

const gates = (results: NonNullable<Explanation['gates']>, closed: ClosedGate | null): Html => html`
<h2 id="gates">The seven gates</h2>
<p>A line is said when all gates are open, in waking hours, while no other line is live. A gate is open where its score reaches the mark on its bar. They are checked in this order, and the first that is closed decides.</p>
${bars(
  'The seven gates',
  gatesInOrder.map((gate) => {
    const { passed, score } = results[gate];
    const state =
      score === null
        ? 'not measured'
        : passed
          ? 'open'
          : gate === closed
            ? html`<strong>closed, and decided</strong>`
            : 'closed';
    return {
      label: html`${sentenceCase(spacedName(gate))}: ${state} <small>${gateQuestions[gate]}</small>`,
      share: score,
      value: againstThreshold(score, gateThresholds[gate]),
      kind: passed ? 'plain' : 'c0',
      threshold: gateThresholds[gate],
    };
  }),
)}
${closed === 'voice' ? html`<p>All gates were open; the draft did not keep to the rules of the voice.</p>` : null}`;

function layers({ moment }: Explanation): Html | null {
  if (!moment) return null;
  return html`
<h2 id="layers">The seven layers of resonance</h2>
<p>Their product is the resonance, ${againstThreshold(moment.resonance, RESONANCE_THRESHOLD)}; a line needs ${RESONANCE_THRESHOLD}. One layer under the mark is enough to keep it below.</p>
${bars(
  'The seven layers of resonance',
  Object.entries(moment.layers).map(([name, score]) => ({
    label: sentenceCase(spacedName(name)),
    share: score,
    value: againstThreshold(score, RESONANCE_THRESHOLD),
    kind: score !== null && score < RESONANCE_THRESHOLD ? 'c0' : 'plain',
    threshold: RESONANCE_THRESHOLD,
  })),
)}`;
}

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
<h2 id="seen">What was observed</h2>
${
  atmosphere
    ? facts([
        ['State', stateWords[atmosphere.primary_state]],
        ['Calm level', stored(atmosphere.calm)],
        ['Stress', scalar(atmosphere.stress)],
        ...measured.map(
          ([name, value]) =>
            [
              sentenceCase(spacedName(name.replace(/_(mm|c|pct|kmh)$/, ''))),
              `${value}`,
              units[name] ?? null,
            ] as const,
        ),
      ])
    : html`<p>What was observed then is no longer stored.</p>`
}`;
}
