/** The gates of a decision (docs/formulas.md, "Gates and decision"). */
import { CALM_STATE_LEVEL } from '../atmosphere/atmosphere.ts';
import { clamp, ramp, round } from '../stats/unit-scale.ts';
import { HELD_SHARE } from '../window/calm-window.ts';
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
  /** What is usual for the pocket until the window ends; null where that is not known. */
  usual_calm: number | null;
  user_need: number;
  fatigue: number;
  legitimacy_score: number;
}

/** Scores from which each gate is open. */
export const gateThresholds: Record<Gate, number> = {
  resonance: RESONANCE_THRESHOLD,
  moment_silence: 1,
  // Half of a difference that is twice as large as a noticeable one.
  why_this_place: 0.5,
  why_now: HELD_SHARE,
  // Of user need a rested pocket needs 0.42; an empty street has at most 0.35.
  why_this_person: 0.4,
  why_worth_attention: EMIT_THRESHOLD / 100,
  // Friction of a quarter: steady rain or slow roads reach it.
  why_low_effort: 0.75,
};

export function runGates(input: GateInput): GateResults {
  const { moment, resonance, usual_calm, user_need, fatigue, legitimacy_score } = input;
  const scores: GateScores = {
    resonance,
    moment_silence: moment.should_stay_silent ? 0 : 1,
    why_this_place: distinctness(moment.window_expected_calm, usual_calm),
    // No window begins where calm is not likely.
    why_now: moment.window_held_share ?? 0,
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

/**
 * How much calmer than usual the pocket is expected to be until its window ends: 0 where it is not, or where a calm state
 * is usual then and calm is no news, or where the usual is not known.
 */
export const distinctness = (expected_calm: number, usual_calm: number | null): number =>
  usual_calm === null || usual_calm >= CALM_STATE_LEVEL
    ? 0
    : round(ramp(expected_calm - usual_calm, 0, CLEARLY_CALMER));

/** From this difference of calm on, the score is 1. */
const CLEARLY_CALMER = 0.12;
