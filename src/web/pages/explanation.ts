// The page of one decision: what was known when it was made, what happened, the verdict, and which gate closed by how much.
import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import { type Gate, gatesInOrder, gateThresholds } from '../../domain/decision/gates.ts';
import { RESONANCE_THRESHOLD } from '../../domain/decision/resonance.ts';
import { totalDuration } from '../../domain/text/duration.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { iso, SLOT } from '../../domain/time/slot.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { decisionId, getExplanation } from '../../operations/decision/get-explanation.ts';
import { againstThreshold, allDecimals, percent, scalar, spacedName } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketLink, pocketName } from '../parts/links.ts';
import { verdictMark } from '../parts/outcome.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { stateWords } from '../parts/place-words.ts';
import { bars, facts, table } from '../parts/table.ts';
import { term } from '../parts/terms.ts';
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
    about: 'One decision: what was known when it was made, what happened, and the verdict.',
    path: `/explanations/${explanation.id}`,
    body: html`
<p class="crumb"><a href="/silence">Silence</a> / ${pocketLink(site, pocket_id)}</p>
<h1>${title}</h1>
<p class="lead">${pocketLink(site, pocket_id)}, ${dateTime(explanation.decided_at, site.zone)}. ${lead(explanation)}</p>
${
  line === null
    ? html`<p>No line was drafted and nothing was decided, so nothing is judged. ${'live_package' in explanation && explanation.live_package ? html`<a href="/explanations/emit:${explanation.live_package}">The line that was live</a>` : null}</p>`
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
${knownPart(explanation, site)}
</div>
${outcomePart(explanation, site)}
<h2 id="verdict">The verdict</h2>${verdict(explanation, site)}`
}
${explanation.gates ? gates(explanation.gates, explanation.gate_closed) : null}
${layers(explanation)}
${seenPart(explanation)}
<p class="note">${'payload_hash' in explanation ? html`Sealed as <code class="hash">${explanation.payload_hash}</code>: <a href="/ledger/${explanation.id.replace(/^(?:silence|emit):/, '')}">check the seal</a> · ` : null}<a href="/api/explanations/${explanation.id}">JSON</a> · <a href="${provenanceAddress(explanation)}">Sources of the signals (JSON)</a></p>`,
  });
}

const provenanceAddress = ({ pocket_id, decided_at }: Explanation): string =>
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

/** The claim: what the line said, or would have said. */
function knownPart(explanation: Explanation, { zone }: Site): Html | null {
  if (!('claim' in explanation)) return null;
  const { ends_at, usual_calm, expected_calm, held_share } = explanation.claim;
  return html`<section class="card" aria-labelledby="known"><h2 id="known">What was known</h2>
${facts([
  ['Judged at', clockTime(ends_at, zone), explanation.decision === 'emit' ? 'the end that it named' : null],
  [
    term('usual calm', 'Usual calm'),
    scalar(usual_calm),
    usual_calm === null ? 'less than two weeks of readings' : 'mean until then',
  ],
  ['Expected calm', scalar(expected_calm), 'mean until then'],
  [
    'Such windows held',
    held_share === null ? 'no window' : percent(held_share),
    held_share === null ? 'calm was not likely' : 'of windows with similar chances, on other days',
  ],
])}</section>`;
}

/** The readings from the decision to the end that is judged. */
function outcomePart({ was_it_right, decided_at }: Explanation, { zone }: Site): Html | null {
  if (!was_it_right?.revealed) return null;
  const { calm, calm_state } = was_it_right.what_happened;
  return html`
<h2 id="happened">What happened</h2>
${table(
  'Readings from the decision to the end',
  ['At', { name: 'Calm level', figures: true }, 'State'],
  calm.map((level, n) => ({
    cells: [
      clockTime(iso(Date.parse(decided_at) + n * SLOT), zone),
      allDecimals(level),
      stateAt(calm_state[n] ?? null),
    ],
  })),
)}`;
}

const stateAt = (isCalm: boolean | null): string =>
  isCalm === null ? 'not read' : isCalm ? 'calm' : 'not calm';

function verdict({ was_it_right: judged, decision }: Explanation, { zone }: Site): Html | null {
  if (!judged) return null;
  if (!judged.revealed)
    return html`<p>Not known yet: it is judged at ${clockTime(judged.reveal_at, zone)}, by the readings until then.</p>`;
  const sealed = html`<p class="note">Judged ${dateTime(judged.revealed_at, zone)}, and <a href="/ledger/${judged.verdict_id}">sealed in the ledger</a>.</p>`;
  if (judged.vindicated === null) return html`<p>It could not be judged: ${judged.reason}.</p>${sealed}`;
  const minutes = judged.attention_minutes_preserved;
  return html`<p class="words">${verdictMark(judged.vindicated)}: ${judged.reason}.</p>${
    decision === 'remain_silent' && judged.vindicated && minutes
      ? html`<p class="note">About ${totalDuration(minutes)} of attention was spared. This is an estimate: one in 25 of the people who passed in the quarter hour would have looked, for 15 seconds.</p>`
      : null
  }${sealed}`;
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
${closed === 'voice' ? html`<p>All gates were open; the draft broke the rules of the voice.</p>` : null}`;

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

function seenPart({ atmosphere, environment }: Explanation): Html {
  const measured = Object.entries(environment ?? {}).filter(
    ([name, value]) => typeof value === 'number' && name !== 'completeness',
  );
  return html`
<h2 id="seen">What was observed</h2>
${
  atmosphere
    ? facts([
        ['State', stateWords[atmosphere.primary_state]],
        ['Calm level', allDecimals(atmosphere.calm)],
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
