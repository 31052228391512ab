// The numbers by which silences, verdicts and pauses name a word. The views of migrations/ have them too: a number never
// changes its meaning, and a new word needs a new view.
import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import type { LegitimacyBand } from '../../domain/decision/legitimacy.ts';
import type { PauseKind, SilenceReason } from '../../domain/decision/silence-reason.ts';
import type { LineOutcome } from '../../domain/verdict/line-serves.ts';

/** No gate was nearly open: 0. */
export const gateNumbers: Record<ClosedGate, number> = {
  resonance: 1,
  moment_silence: 2,
  why_this_place: 3,
  why_now: 4,
  why_this_person: 5,
  why_worth_attention: 6,
  why_low_effort: 7,
  voice: 8,
};

export const silenceReasonNumbers: Record<SilenceReason, number> = {
  no_norm: 1,
  tense: 2,
  fragile: 3,
  heard_enough: 4,
  resonance_time: 5,
  resonance_physical: 6,
  resonance_human_energy: 7,
  resonance_merchant_state: 8,
  resonance_attention_density: 9,
  resonance_intent: 10,
  resonance_temporal: 11,
  why_this_place: 12,
  why_now: 13,
  why_this_person: 14,
  why_worth_attention: 15,
  why_low_effort: 16,
  voice: 17,
};

export const legitimacyBandNumbers: Record<LegitimacyBand, number> = {
  legitimate: 1,
  borderline: 2,
  remain_silent: 3,
};

export const outcomeNumbers: Record<LineOutcome, number> = {
  served: 1,
  not_calm: 2,
  did_not_hold: 3,
  usually_calm: 4,
  no_better: 5,
  unknown_readings: 6,
  unknown_usual: 7,
};

export const pauseKindNumbers: Record<PauseKind, number> = { quiet_hours: 1, already_speaking: 2 };
