import Type from 'typebox';
import { weigh } from '../../domain/decision/decide.ts';
import { type GateResults, toGateResults } from '../../domain/decision/gates.ts';
import { EMIT_THRESHOLD, legitimacyBandAt } from '../../domain/decision/legitimacy.ts';
import {
  gateClosedBy,
  isSilenceReason,
  pauseKinds,
  reasonText,
} from '../../domain/decision/silence-reason.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import {
  type EmissionDetail,
  emissionById,
  type PauseDetail,
  pauseById,
  type SilenceDetail,
  silenceById,
} from '../../store/decision/explanations.ts';
import { readVerdict, type Verdict } from '../../store/decision/verdicts.ts';
import { refuseArchivedId } from '../../store/ledger/archived.ts';
import { type SubstrateTrace, substrateTraceAt } from '../../store/observation/substrate-trace.ts';
import { nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation, NotFound, type OperationContext } from '../core/define.ts';
import { shortText } from '../core/fields.ts';
import { disagreementsField, findDisagreements, readDecided } from './agreement-fields.ts';
import {
  closedGate,
  deltaToEmitThreshold,
  gateResults,
  judged,
  legitimacyBand,
  legitimacyScore,
  linePayload,
  sealedSilence,
  tier,
} from './decision-fields.ts';
import { basis, explanationBasis } from './explanation-basis.ts';
import { decisionHead, describeDecision } from './list-explanations.ts';

type Detail =
  | { kind: 'silence'; decision: SilenceDetail; verdict: Verdict | null }
  | { kind: 'emit'; decision: EmissionDetail; verdict: Verdict | null }
  | { kind: 'pause'; decision: PauseDetail };

/** Schema of the argument that identifies a decision. */
export const decisionId = shortText(
  120,
  'silence:…, emit:…, quiet_hours:… or already_speaking:…, as the list gives it',
);

const decided = {
  ...decisionHead.properties,
  reason_text: nullable(Type.String({ description: 'the reason in words' })),
  gate_closed: nullable(closedGate),
  gates: nullable(gateResults),
  disagreements: disagreementsField,
  legitimacy: Type.Object({
    legitimacy_score: legitimacyScore,
    band: legitimacyBand,
    emit_threshold: legitimacyScore,
    delta_to_emit_threshold: deltaToEmitThreshold,
  }),
};

const candidate = {
  candidate_emission_text: Type.String({ description: 'the line that was drafted, or said' }),
  candidate_confidence: unit,
};

const silenceFields = { ...candidate, ...judged, ...sealedSilence };

const emissionFields = {
  ...candidate,
  ...judged,
  package: Type.Object({
    tier,
    expires_at: timestamp,
  }),
  payload_hash: sealedSilence.payload_hash,
  payload: linePayload,
};

const pauseFields = {
  candidate_emission_text: Type.Null({ description: 'no line was drafted' }),
  candidate_confidence: Type.Null(),
  was_it_right: Type.Null({ description: 'nothing was decided' }),
  live_package: nullable(Type.String({ description: 'id of the package that was live' })),
};

export const getExplanation = defineOperation({
  name: 'get_explanation',
  title: 'One decision in full',
  description:
    'Shows one decision with everything it was based on. Use it with an id of /api/explanations. Returns the decision and its summary, each gate with score and passed, the legitimacy, the line that was drafted or said with what it claims, whether staying silent or saying it was right, with the readings that decided it, and the moment, atmosphere and environment as they were; for a line or a silence also the sealed payload and its payload_hash. A quarter hour at which nothing was decided has no line, and live_package where a line was still live.',
  input: { id: decisionId },
  output: Type.Union([
    Type.Object({ ...decided, ...silenceFields, ...basis }),
    Type.Object({ ...decided, ...emissionFields, ...basis }),
    Type.Object({ ...decided, ...pauseFields, ...basis }),
  ]),
  load: async ({ id }, context) => {
    const detail = await find(id, context);
    if (!detail) await refuseArchivedId(context.store, id.replace(/^[a-z_]+:/, ''));
    if (!detail) throw new NotFound(`unknown decision: ${printable(id)}`);
    const { pocket_id, slot } = detail.decision;
    return {
      detail,
      decided: await readDecided(context, pocket_id, slot),
      trace: await substrateTraceAt(context.store, pocket_id, slot),
      baseUrl: context.baseUrl,
    };
  },
  shape: ({ detail, decided, trace, baseUrl }, _input, zone) => {
    const { legitimacy_score, reason, pocket_id, slot } = detail.decision;
    return {
      ...describeDecision(detail.decision, baseUrl, zone),
      reason_text: reason && reasonText[reason],
      gate_closed: reason !== null && isSilenceReason(reason) ? gateClosedBy(reason) : null,
      gates: readGateResults(detail, trace),
      disagreements: findDisagreements(trace.moment, decided),
      legitimacy: {
        legitimacy_score,
        band: legitimacyBandAt(legitimacy_score),
        emit_threshold: EMIT_THRESHOLD,
        delta_to_emit_threshold: round(legitimacy_score - EMIT_THRESHOLD, 1),
      },
      ...decisionPart(detail),
      provenance_url: `${baseUrl}/api/provenance?${new URLSearchParams({ pocket: pocket_id, at: iso(slot) })}`,
      ...explanationBasis(trace),
    };
  },
  speak: ({ summary, candidate_emission_text, was_it_right, disagreements }) => {
    if (candidate_emission_text === null) return summary;
    const apart = disagreements.map((text) => ` ${text}.`).join('');
    const verdict = was_it_right?.revealed ? ` later: ${was_it_right.reason}.` : '';
    return `${summary}${apart} the line: '${candidate_emission_text}'${verdict}`;
  },
  rest: { path: '/api/explanations/:id' },
});

async function find(given: string, { store }: OperationContext): Promise<Detail | null> {
  const [, kind, id = ''] = /^([a-z_]+):(.+)$/.exec(given) ?? [];
  const pause = pauseKinds.find((name) => name === kind);
  if (pause) {
    const decision = await pauseById(store, pause, id);
    // The line that was live is a row of the ledger, which may have left.
    if (pause === 'already_speaking' && decision?.package_id === null) await refuseArchivedId(store, id);
    return decision && { kind: 'pause', decision };
  }
  if (kind === 'emit') {
    const decision = await emissionById(store, id);
    return decision && { kind, decision, verdict: await readVerdict(store, id) };
  }
  const decision = kind === 'silence' ? await silenceById(store, id) : null;
  return decision && { kind: 'silence', decision, verdict: await readVerdict(store, id) };
}

/** A silence has its gate scores sealed; those of others are computed again from the stored rows. */
function readGateResults(detail: Detail, { moment, reading }: SubstrateTrace): GateResults | null {
  if (detail.kind === 'silence') return toGateResults(detail.decision.payload.gates);
  return moment && reading
    ? weigh({ ...moment.surroundings, moment: moment.moment, reading }, moment).gates
    : null;
}

function decisionPart(detail: Detail) {
  if (detail.kind === 'silence') return silencePart(detail);
  return detail.kind === 'emit' ? emissionPart(detail) : pausePart(detail.decision);
}

function silencePart({
  decision: { payload, payload_hash, window_end },
  verdict,
}: Detail & { kind: 'silence' }) {
  return {
    candidate_emission_text: payload.candidate_emission_text,
    candidate_confidence: payload.candidate_confidence,
    claim: {
      ends_at: payload.window_end,
      usual_calm: payload.usual_calm,
      expected_calm: payload.substrate.moment.expected_calm,
      held_share: payload.substrate.moment.held_share,
    },
    was_it_right: verdictPart(verdict, window_end),
    payload_hash,
    payload,
  };
}

function verdictPart(verdict: Verdict | null, ends_at: number) {
  if (!verdict) return { revealed: false as const, reveal_at: iso(ends_at), vindicated: null };
  const { calm, calm_state, id } = verdict.payload;
  return {
    revealed: true as const,
    revealed_at: iso(verdict.revealed_at),
    vindicated: verdict.right,
    attention_minutes_preserved: verdict.attention_minutes_preserved,
    reason: verdict.reason,
    what_happened: { calm, calm_state },
    verdict_id: id,
  };
}

function emissionPart({ decision, verdict }: Detail & { kind: 'emit' }) {
  const { composed_text, confidence, tier, expires_at, payload, payload_hash } = decision;
  const { usual_calm, expected_calm, held_share } = payload;
  return {
    candidate_emission_text: composed_text,
    candidate_confidence: confidence,
    claim: { ends_at: iso(expires_at), usual_calm, expected_calm, held_share },
    was_it_right: verdictPart(verdict, expires_at),
    package: { tier, expires_at: iso(expires_at) },
    payload_hash,
    payload,
  };
}

const pausePart = ({ package_id }: PauseDetail) => ({
  candidate_emission_text: null,
  candidate_confidence: null,
  was_it_right: null,
  live_package: package_id,
});
