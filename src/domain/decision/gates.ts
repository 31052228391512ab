/** The gates of a decision (docs/formulas.md, "Gates and decision"). */
import { clamp, ramp, round } from '../stats/unit-scale.ts';
import { EMIT_THRESHOLD } from './legitimacy.ts';
import type { Moment } from './moment.ts';
import { RESONANCE_THRESHOLD } from './resonance.ts';

/** The seven gates, in the order in which answers list them. */
export const gates = [
  'resonance',
  'moment_silence',
  'why_this_place',
  'why_now',
  'why_this_person',
  'why_worth_attention',
  'why_low_effort',
] as const;
export type Gate = (typeof gates)[number];
/** A gate whose inputs were not measured has no score, and closes nothing. */
export type GateScores = { [G in Gate]: G extends 'why_low_effort' ? number | null : number };
export type GateResults = Record<Gate, { passed: boolean; score: number | null }>;

export interface GateInput {
  moment: Moment;
  resonance: number;
  /** How much calmer this pocket is than the network and than its own usual; see `distinctness`. */
  distinct: number;
  urgency: number;
  user_need: number;
  fatigue: number;
  legitimacy_score: number;
}

/** Scores from which each gate is open. */
export const gateThresholds: Record<Gate, number> = {
  resonance: RESONANCE_THRESHOLD,
  moment_silence: 1,
  why_this_place: 0.35,
  why_now: 0.55,
  why_this_person: 0.4,
  why_worth_attention: EMIT_THRESHOLD / 100,
  // Friction of a quarter: steady rain or slow roads reach it.
  why_low_effort: 0.75,
};

export function runGates(input: GateInput): GateResults {
  const { moment, resonance, distinct, urgency, user_need, fatigue, legitimacy_score } = input;
  const scores: GateScores = {
    resonance,
    moment_silence: moment.should_stay_silent ? 0 : 1,
    why_this_place: distinct,
    why_now: urgency,
    why_this_person: clamp(user_need * (1 - 0.5 * fatigue)),
    why_worth_attention: legitimacy_score / 100,
    why_low_effort: moment.movement_friction === null ? null : 1 - moment.movement_friction,
  };
  const rounded = gates.map((gate) => {
    const score = scores[gate];
    return [gate, score === null ? null : round(score, 4)];
  });
  return toGateResults(Object.fromEntries(rounded) as GateScores);
}

/** Gate results from stored scores. */
export const toGateResults = (scores: GateScores): GateResults =>
  Object.fromEntries(
    gates.map((gate) => {
      const score = scores[gate];
      return [gate, { passed: score === null || score >= gateThresholds[gate], score }];
    }),
  ) as GateResults;

/** The order in which a decision checks them: a moment that asks for silence needs no resonance to be judged. */
export const gatesInOrder: readonly Gate[] = [
  'moment_silence',
  ...gates.filter((gate) => gate !== 'moment_silence'),
];

/** The first closed gate, or null when all are open. */
export const closedGate = (results: GateResults): Gate | null =>
  gatesInOrder.find((gate) => !results[gate].passed) ?? null;

/** 0.25 where the pocket is like the network and as usual, rising to 1 the calmer it is than either. */
export function distinctness(
  calm: number,
  networkCalm: number | null,
  stress: number,
  usualStress: number | null,
): number {
  const calmer = networkCalm === null ? 0 : calm - networkCalm;
  const eased = usualStress === null ? 0 : usualStress - stress;
  return round(clamp(0.25 + 0.75 * Math.max(ramp(calmer, 0, 0.3), ramp(eased, 0, 0.12))));
}
