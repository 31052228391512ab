/** The sealed payload of a silence, and ids of decisions (docs/formulas.md, "Silence and package"). */
import type { Reading } from '../atmosphere/reading.ts';
import { crowdWithoutCount, type Snapshot } from '../signals/snapshot.ts';
import { suppressSmallCount } from '../stats/small-count-suppression.ts';
import { round } from '../stats/unit-scale.ts';
import { compactIso, iso } from '../time/slot.ts';
import { judgedAt } from '../window/calm-window.ts';
import type { Decision } from './decide.ts';
import { type GateScores, gates } from './gates.ts';
import { EMIT_THRESHOLD } from './legitimacy.ts';
import type { Moment } from './moment.ts';
import { gateClosedBy, reasonText, type SilenceReason } from './silence-reason.ts';

/** e.g. `holland-20261115T0145Z`: one decision for each pocket and slot. */
export const decisionId = (pocket_id: string, slot: number): string => `${pocket_id}-${compactIso(slot)}`;

export interface DecisionName {
  pocket_id: string;
  slot: number;
  /** The id after the decision's own, such as `.quiet_window_60m`; empty for the decision itself. */
  rest: string;
}

/** The pocket and slot that an id begins with; null for an id of another form. */
export function readDecisionId(id: string): DecisionName | null {
  const [, pocket_id, y, m, d, hh, mm, rest] = /^(.+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z(.*)$/.exec(id) ?? [];
  const slot = Date.parse(`${y}-${m}-${d}T${hh}:${mm}Z`);
  if (pocket_id === undefined || rest === undefined || Number.isNaN(slot)) return null;
  return { pocket_id, slot, rest };
}

/** What is sealed when the service stays silent: what it would have said, why it did not, and what it saw. */
export function silencePayload(
  reading: Reading,
  { values, crowd }: Pick<Snapshot, 'values' | 'crowd'>,
  moment: Moment,
  usual_calm: number | null,
  decision: Omit<Decision, 'reason'> & { reason: SilenceReason },
) {
  const { legitimacy, candidate_text, candidate_confidence, reason } = decision;
  const {
    pocket_id,
    slot,
    completeness,
    stress,
    calm,
    social_energy,
    productive,
    primary_state,
    anomaly_flag,
  } = reading;
  return {
    type: 'silence' as const,
    id: decisionId(pocket_id, slot),
    pocket_id,
    sealed_at: iso(slot),
    window_end: iso(judgedAt(slot, moment.window_ends_at)),
    usual_calm,
    candidate_emission_text: candidate_text,
    candidate_confidence,
    legitimacy_score: legitimacy.legitimacy_score,
    band: legitimacy.band,
    gate_closed: gateClosedBy(reason),
    reason,
    reason_text: reasonText[reason],
    delta_to_emit_threshold: round(legitimacy.legitimacy_score - EMIT_THRESHOLD, 1),
    gates: Object.fromEntries(gates.map((gate) => [gate, decision.gates[gate].score])) as GateScores,
    substrate: {
      completeness,
      atmosphere: { stress, calm, social_energy, productive, primary_state, anomaly_flag },
      // The footfall of an almost empty street would be a count of a few people.
      environment: {
        ...values,
        footfall: suppressSmallCount(values.footfall),
        ...crowdWithoutCount({ values, crowd }),
      },
      moment: {
        calm_probability: moment.calm_probability,
        signal_saturation: moment.signal_saturation,
        movement_friction: moment.movement_friction,
        fragility: moment.fragility,
        half_life_minutes: moment.half_life_minutes,
        window_ends_at: moment.window_ends_at === null ? null : iso(moment.window_ends_at),
        held_share: moment.window_held_share,
        expected_calm: moment.window_expected_calm,
        silence_reasons: moment.silence_reasons,
      },
    },
  };
}
export type SilencePayload = ReturnType<typeof silencePayload>;
