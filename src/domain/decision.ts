import { pressuresOf } from './atmosphere.ts';
import { candidateLine } from './candidate.ts';
import type { Intent, Pocket } from './city.ts';
import { closedGate, distinctness, type Gate, type GateResults, runGates } from './gates.ts';
import { alignmentOf } from './intent.ts';
import { fatigueOf, type Legitimacy, legitimacyOf } from './legitimacy.ts';
import type { Moment } from './moment.ts';
import { type MomentQuality, type MqsInput, momentQuality } from './mqs.ts';
import type { Reading } from './reading.ts';
import { type LayerScores, layersOf, resonanceScore } from './resonance.ts';
import { clamp, round } from './scale.ts';
import { hourOfDay } from './sgt.ts';
import type { Snapshot } from './snapshot.ts';
import { faultsOf } from './voice.ts';

/** What the chain from a moment to a decision looks at. */
export interface Situation {
  pocket: Pocket;
  intents: readonly Intent[];
  moment: Moment;
  reading: Reading;
  values: Snapshot['values'];
  usual_stress: number | null;
  since: number;
  /** Room in the outlets that are open, 0..1; null when none is open. */
  room: number | null;
  /** Mean calm of all pockets in this slot. */
  network_calm: number;
  previous: MqsInput['previous'];
}

export interface Assessment {
  quality: MomentQuality;
  layers: LayerScores;
  resonance: number;
  legitimacy: Legitimacy;
  gates: GateResults;
}

export interface Decision extends Assessment {
  /** Null when every gate is open and the line is spoken. */
  closed_gate: Gate | 'voice' | null;
  candidate_text: string;
  candidate_confidence: number;
  tier: 'atmosphere' | 'experience';
}

/** Who would be spoken to and on whose behalf; nobody in particular when the service decides by itself. */
export interface Context {
  fatigue: number;
  merchant_pressure: number;
}

export function assess(situation: Situation, context?: Partial<Context>): Assessment {
  const { pocket, intents, moment, reading, values, usual_stress, since, room, network_calm, previous } =
    situation;
  const { crowd, rain, heat, air } = pressuresOf(values, pocket.character);
  const { slot: now, stress } = reading;
  const quality = momentQuality({ moment, now, stress, usual_stress, since, crowd, room, previous });
  const hour = hourOfDay(now);
  const best_intent = intents.reduce(
    (best, intent) => Math.max(best, alignmentOf(intent, reading, rain ?? 0, hour)),
    0,
  );
  const layers = layersOf({ moment, now, stress, crowd, rain, heat, air, room, best_intent });
  const resonance = resonanceScore(layers);
  const fatigue = context?.fatigue ?? fatigueOf({}, now);
  const legitimacy = legitimacyOf(
    {
      environmental_alignment: round(
        clamp(0.5 * moment.calm_probability + 0.5 * (1 - moment.movement_friction)),
      ),
      fatigue,
      saturation: moment.signal_saturation,
      merchant_pressure: round(context?.merchant_pressure ?? 0.5 * (room ?? 0)),
      expected_value: round(clamp(quality.factors.usefulness * quality.factors.user_need * 1.2)),
    },
    moment,
  );
  const gates = runGates({
    moment,
    resonance,
    distinct: distinctness(reading.calm, network_calm, stress, usual_stress),
    urgency: quality.factors.urgency,
    user_need: quality.factors.user_need,
    fatigue,
    legitimacy_score: legitimacy.legitimacy_score,
  });
  return { quality, layers, resonance, legitimacy, gates };
}

/** Room that makes a moment more than an atmosphere. */
const READY = 0.55;

export function decide(situation: Situation): Decision {
  const assessment = assess(situation);
  const { pocket, moment, reading, values, usual_stress, network_calm, room } = situation;
  const candidate_text = candidateLine({
    name: pocket.name,
    now: reading.slot,
    primary_state: reading.primary_state,
    calm: reading.calm,
    stress: reading.stress,
    usual_stress,
    network_calm,
    half_life_minutes: moment.half_life_minutes,
    rain_mm: values.rain_mm,
  });
  const unspeakable = faultsOf(candidate_text, 'emit').length > 0;
  return {
    ...assessment,
    closed_gate: closedGate(assessment.gates) ?? (unspeakable ? 'voice' : null),
    candidate_text,
    candidate_confidence: round(
      clamp(
        Math.abs(moment.calm_probability - 0.5) * 2 * (1 - 0.5 * moment.fragility) * 0.5 +
          0.5 * reading.completeness,
      ),
    ),
    tier: room !== null && room >= READY ? 'experience' : 'atmosphere',
  };
}
