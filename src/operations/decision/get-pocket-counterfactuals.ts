import Type, { type Static } from 'typebox';
import { reasonText } from '../../domain/decision/silence-reason.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { printable } from '../../domain/text/printable.ts';
import { lastHours } from '../../domain/time/window.ts';
import {
  type BandSums,
  type SealedSilence,
  sealedSilences,
  silencesByBand,
} from '../../store/decision/counterfactuals.ts';
import { exportSilences } from '../../store/report/exports.ts';
import { count, countField, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { cutPage, slotPosition } from '../core/list-options.ts';
import { createTable } from '../core/table.ts';
import { restAddress } from '../core/text-list.ts';
import { sealHash } from '../prediction/prediction-fields.ts';
import { legitimacyScore, silencePayload } from './decision-fields.ts';

/** Relative to the service's address. */
const PROOF_URL = '/api/ledger/proof/{id}';

const summary = Type.Object({
  remain_silent_count: count,
  borderline_count: count,
  legitimate_count: count,
  avg_legitimacy_score: nullable(legitimacyScore),
  avg_candidate_confidence: nullable(unit),
});

/** Fields of a sealed silence. Words for its reason and the address of the whole payload stand once, above the list. */
const entry = Type.Object({
  ...Type.Pick(silencePayload, [
    'id',
    'candidate_emission_text',
    'candidate_confidence',
    'legitimacy_score',
    'band',
    'delta_to_emit_threshold',
    'gate_closed',
    'reason',
  ]).properties,
  substrate_snapshot: Type.Object({
    ...silencePayload.properties.substrate.properties,
    moment: Type.Omit(silencePayload.properties.substrate.properties.moment, [
      'silence_reasons',
      'window_ends_at',
      'held_share',
      'expected_calm',
    ]),
  }),
  sealed_at: silencePayload.properties.sealed_at,
  payload_hash: sealHash,
});

export const getPocketCounterfactuals = defineOperation({
  name: 'get_pocket_counterfactuals',
  title: 'What was not said about a pocket',
  description:
    'Lists past silences of a pocket: the line that was drafted and not said, its legitimacy, the gate that closed, the reason. Use it for "what would have been said, and why was it not?". Not for the present silence (get_pocket_silence) or what was said (get_pocket_packages). Returns count, summary and entries, newest first, with payload_hash of what was sealed.',
  toolsets: ['record'],
  input: {
    pocket_id: pocketId,
    hours: Type.Number({ minimum: 1, maximum: 720, default: 24, description: 'hours to look back' }),
    limit: Type.Number({ minimum: 1, maximum: 500, default: 50, description: 'maximum entries to list' }),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    window_hours: Type.Number({ minimum: 1, maximum: 720 }),
    count: countField('silences in the window, listed or not'),
    summary,
    reason_texts: Type.Record(Type.String(), Type.String(), {
      description: 'the reasons of the entries in words',
    }),
    proof_url: Type.String({
      description: 'where the whole sealed payload of an entry is, with its proof of inclusion',
    }),
    entries: Type.Array(entry),
  }),
  list: 'entries',
  position: { slot: slotPosition },
  load: async ({ pocket_id, hours, limit: given }, { store, now }, from) => {
    const window = lastHours(hours, now);
    const limit = Math.floor(given);
    const rest = from ? { ...window, until: Math.min(window.until, from.slot - 1) } : window;
    const { rows: silences, last } = cutPage(await sealedSilences(store, pocket_id, rest, limit + 1), limit);
    return { tallies: await silencesByBand(store, pocket_id, window), silences, last };
  },
  next: ({ last }) => last && { slot: last.slot },
  shape: ({ tallies, silences }, { pocket_id, hours }) => {
    const summary = summarise(tallies);
    const { remain_silent_count, borderline_count, legitimate_count } = summary;
    return {
      pocket_id,
      window_hours: hours,
      count: remain_silent_count + borderline_count + legitimate_count,
      summary,
      reason_texts: reasonTexts(silences),
      proof_url: PROOF_URL,
      entries: silences.map(counterfactualEntry),
    };
  },
  speak: ({ count, summary, entries }, { pocket_id, hours }, zone) => {
    const [last] = entries;
    if (!last) return `${printable(pocket_id)} has no silences over the last ${hours}h.`;
    const { remain_silent_count, borderline_count, legitimate_count } = summary;
    return [
      `${pocket_id} was left in silence ${count === 1 ? 'once' : `${count} times`} over the last ${hours}h:`,
      `${remain_silent_count} remain_silent, ${borderline_count} borderline, ${legitimate_count} legitimate;`,
      `legitimacy ${summary.avg_legitimacy_score} and confidence ${summary.avg_candidate_confidence} on average.`,
      `the last, at ${zone.clockWithZone(Date.parse(last.sealed_at))}, was silent for this reason: ${reasonText[last.reason]}; ${distance(last.delta_to_emit_threshold)}:`,
      `'${last.candidate_emission_text}'.`,
      `${entries.length} of ${count} are listed; all are rows of ${restAddress('/api/counterfactuals', { pocket: pocket_id, hours, format: 'csv' })} and the whole sealed payload of one is at ${PROOF_URL}.`,
    ].join(' ');
  },
  table: ({ pocket_id, hours }, { store, now }) =>
    createTable('counterfactuals', exportSilences(store, pocket_id, lastHours(hours, now)), {
      id: ({ payload }) => payload.id,
      pocket_id: ({ payload }) => payload.pocket_id,
      sealed_at: ({ payload }) => payload.sealed_at,
      gate_closed: ({ payload }) => payload.gate_closed,
      reason: ({ payload }) => payload.reason,
      legitimacy_score: ({ payload }) => payload.legitimacy_score,
      band: ({ payload }) => payload.band,
      delta_to_emit_threshold: ({ payload }) => payload.delta_to_emit_threshold,
      candidate_confidence: ({ payload }) => payload.candidate_confidence,
      candidate_emission_text: ({ payload }) => payload.candidate_emission_text,
      primary_state: ({ payload }) => payload.substrate.atmosphere.primary_state,
      stress: ({ payload }) => payload.substrate.atmosphere.stress,
      calm: ({ payload }) => payload.substrate.atmosphere.calm,
      social_energy: ({ payload }) => payload.substrate.atmosphere.social_energy,
      productive: ({ payload }) => payload.substrate.atmosphere.productive,
      completeness: ({ payload }) => payload.substrate.completeness,
      payload_hash: ({ payload_hash }) => payload_hash,
    }),
  rest: { path: '/api/counterfactuals', names: { pocket_id: 'pocket' } },
});

const distance = (delta: number): string =>
  delta < 0 ? `${round(-delta, 1)} under the emit threshold` : `${delta} over the emit threshold`;

const reasonTexts = (silences: readonly SealedSilence[]): Record<string, string> =>
  Object.fromEntries(silences.map(({ payload }) => [payload.reason, payload.reason_text]));

function counterfactualEntry({ payload, payload_hash }: SealedSilence): Static<typeof entry> {
  const {
    silence_reasons: _stated,
    window_ends_at: _end,
    held_share: _held,
    expected_calm: _expected,
    ...moment
  } = payload.substrate.moment;
  return {
    id: payload.id,
    candidate_emission_text: payload.candidate_emission_text,
    candidate_confidence: payload.candidate_confidence,
    legitimacy_score: payload.legitimacy_score,
    band: payload.band,
    delta_to_emit_threshold: payload.delta_to_emit_threshold,
    gate_closed: payload.gate_closed,
    reason: payload.reason,
    substrate_snapshot: { ...payload.substrate, moment },
    sealed_at: payload.sealed_at,
    payload_hash,
  };
}

function summarise(tallies: readonly BandSums[]): Static<typeof summary> {
  const total = (pick: (tally: BandSums) => number) => tallies.reduce((sum, tally) => sum + pick(tally), 0);
  const count = total((tally) => tally.count);
  const inBand = (band: BandSums['band']) => total((tally) => (tally.band === band ? tally.count : 0));
  return {
    remain_silent_count: inBand('remain_silent'),
    borderline_count: inBand('borderline'),
    legitimate_count: inBand('legitimate'),
    avg_legitimacy_score: count ? round(total((tally) => tally.legitimacy) / count, 1) : null,
    avg_candidate_confidence: count ? round(total((tally) => tally.confidence) / count) : null,
  };
}
