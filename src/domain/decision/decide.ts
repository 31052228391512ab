/**
 * From a moment to a decision: scores, gates, candidate line and tier of one pocket at one slot.
 * Pure; the pipeline's decide job calls it for every pocket (docs/formulas.md, "Gates and decision").
 */

import type { Reading } from '../atmosphere/reading.ts';
import { candidateLine } from '../candidate/candidate.ts';
import type { Category, Intent, Pocket } from '../city/city.ts';
import { intentAlignment } from '../intent/intent-fit.ts';
import type { KnownPressures } from '../signals/pressures.ts';
import { clamp, round } from '../stats/unit-scale.ts';
import type { Zone } from '../time/zone.ts';
import { judgedAt } from '../window/calm-window.ts';
import type { ClosedGate } from './decision-text.ts';
import { type GateResults, runGates } from './gates.ts';
import {
  computeLegitimacy,
  environmentalAlignment,
  expectedValue,
  type Legitimacy,
  merchantPressure,
} from './legitimacy.ts';
import type { Moment } from './moment.ts';
import { type MomentQuality, type MqsInput, momentQuality } from './moment-quality.ts';
import { type LayerScores, RESONANCE_THRESHOLD, resonanceScore, scoreLayers } from './resonance.ts';
import { findSilenceReason, gateClosedBy, type SilenceReason } from './silence-reason.ts';
import { lineTier, type Tier } from './tier.ts';

/** What a moment is compared with. Stored with it, so that weighing it again later gives the same answer. */
export interface Surroundings {
  /** Mean stress of this pocket in this hour of the week; null while too little was seen. */
  usual_stress: number | null;
  /** Its mean calm in this hour of the week; null while too little was seen. */
  usual_calm: number | null;
  /** Mean calm of all pockets in this slot. */
  network_calm: number | null;
  /** Mean spare capacity of the open outlets, 0..1; null when none is open. */
  spare_capacity: number | null;
  /** How tired of messages the people of the pocket are, 0..1. */
  fatigue: number;
}

/** All inputs of a decision about one pocket at one slot. */
export interface Situation
  extends Surroundings,
    Pick<MqsInput, 'moment' | 'since' | 'merchants_known' | 'previous'> {
  zone: Zone;
  pocket: Pocket;
  intents: readonly Intent[];
  /** The kinds of which an outlet is open; null where too few outlets are known to say so. */
  open_kinds: readonly Category[] | null;
  reading: Reading;
  pressures: KnownPressures;
}

/** Scores of a moment that do not depend on who would be addressed. */
export interface MomentAssessment {
  quality: MomentQuality;
  layers: LayerScores;
  resonance: number;
}

export interface Weighing {
  legitimacy: Legitimacy;
  gates: GateResults;
}

export interface Decision extends MomentAssessment, Weighing {
  /** Null when every gate is open and the candidate is published. */
  reason: SilenceReason | null;
  /** The gate that the reason closes. */
  closed_gate: ClosedGate | null;
  candidate_text: string;
  candidate_confidence: number;
  tier: Tier;
}

/** A moment with what it is compared with. */
export interface MomentInContext extends Surroundings {
  moment: Moment;
  reading: Pick<Reading, 'slot' | 'calm' | 'stress'>;
}

/** The scores of a moment that the gates and legitimacy use. */
export interface MomentScores {
  quality: { factors: Pick<MomentQuality['factors'], 'usefulness' | 'user_need'> };
  resonance: number;
}

/** Who would be addressed and on whose behalf. The service's own decisions use the defaults. */
export interface Audience {
  fatigue: number;
  merchant_pressure: number;
  /** Saturation with the cost of the action's channel and of what it repeats. */
  saturation: number;
}

export function assessMoment(situation: Situation): MomentAssessment {
  const { intents, moment, reading, pressures, usual_stress, since, spare_capacity, previous, zone } =
    situation;
  const { merchants_known } = situation;
  const { crowd, rain, heat, air } = pressures;
  const { slot: now, stress } = reading;
  const hour = zone.hourOfDay(now);
  const { calm_probability } = moment;
  const covered = situation.pocket.covered ?? null;
  const { open_kinds } = situation;
  const present = { atmosphere: reading, calm_probability, rain, hour, covered, open_kinds };
  const best_intent = intents.reduce((best, intent) => Math.max(best, intentAlignment(intent, present)), 0);
  const outlets = { spare_capacity, merchants_known };
  const layers = scoreLayers({ moment, hour, stress, crowd, rain, heat, air, ...outlets, best_intent });
  const resonance = resonanceScore(layers);
  return {
    quality: momentQuality({
      resonates: resonance >= RESONANCE_THRESHOLD,
      moment,
      now,
      hour,
      stress,
      usual_stress,
      since,
      crowd,
      ...outlets,
      previous,
    }),
    layers,
    resonance,
  };
}

/** Whether speaking would be justified. The service's own decisions and score_legitimacy both use this rule. */
export function weigh(
  situation: MomentInContext,
  { quality, resonance }: MomentScores,
  context: Partial<Audience> = {},
): Weighing {
  const { moment, usual_calm, spare_capacity } = situation;
  const { usefulness, user_need } = quality.factors;
  const fatigue = context.fatigue ?? situation.fatigue;
  const legitimacy = computeLegitimacy(
    {
      environmental_alignment: environmentalAlignment(moment.calm_probability, moment.movement_friction),
      fatigue,
      saturation: context.saturation ?? moment.signal_saturation,
      merchant_pressure: context.merchant_pressure ?? merchantPressure(spare_capacity),
      expected_value: expectedValue(usefulness * user_need),
    },
    moment,
  );
  const gates = runGates({
    moment,
    resonance,
    usual_calm,
    user_need,
    fatigue,
    legitimacy_score: legitimacy.legitimacy_score,
  });
  return { legitimacy, gates };
}

/** Decides at a slot that is no pause (`pauseAt`): the candidate is published, or withheld for one reason. */
export function decide(situation: Situation): Decision {
  const read = assessMoment(situation);
  const weighing = weigh(situation, read);
  const { pocket, moment, reading, spare_capacity, zone } = situation;
  const candidate_text = draftCandidate(pocket.name, situation, zone);
  const reason = findSilenceReason({ ...read, ...weighing, moment, line: candidate_text });
  return {
    ...read,
    ...weighing,
    reason,
    closed_gate: reason && gateClosedBy(reason),
    candidate_text,
    candidate_confidence: round(
      clamp(
        Math.abs(moment.calm_probability - 0.5) * 2 * (1 - 0.5 * moment.fragility) * 0.5 +
          0.5 * reading.completeness,
      ),
    ),
    tier: lineTier(spare_capacity),
  };
}

/** The one line that the service could say now. */
export const draftCandidate = (
  name: string,
  { moment, reading, usual_calm, network_calm }: MomentInContext,
  zone: Zone,
): string =>
  candidateLine({
    zone,
    name,
    now: reading.slot,
    primary_state: moment.primary_state,
    calm: moment.window_expected_calm,
    usual_calm,
    network_calm,
    ends_at: judgedAt(reading.slot, moment.window_ends_at),
  });
