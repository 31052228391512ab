import { clockOf, dateOf } from '../time/sgt.ts';
import { gates } from './gates.ts';
import { EMIT_THRESHOLD } from './legitimacy.ts';

/** What can withhold a line: a gate, or the voice when all gates are open. */
export const closedGates = [...gates, 'voice'] as const;
export type ClosedGate = (typeof closedGates)[number];

/** Why a closed gate withheld the line, worded as the end of a sentence. */
export const closedGateText: Record<ClosedGate, string> = {
  resonance: 'too little resonance',
  moment_silence: 'a moment that asks for quiet',
  why_this_place: 'nothing that sets this place apart',
  why_now: 'nothing that presses at this hour',
  why_this_person: 'too few about to whom it would matter',
  why_worth_attention: 'too little that is worth the attention',
  why_low_effort: 'too much effort in getting about',
  voice: 'a draft outside the voice',
};

export interface DecisionLine {
  pocket_id: string;
  slot: number;
  /** Null when the line was published. */
  gate: ClosedGate | null;
  legitimacy_score: number;
}

/** One sentence on a decision and its cause. */
export function decisionLine({ pocket_id, slot, gate, legitimacy_score }: DecisionLine): string {
  const when = `at ${clockOf(slot)} SGT on ${dateOf(slot)}`;
  const score = `legitimacy ${legitimacy_score} against a threshold of ${EMIT_THRESHOLD}`;
  return gate === null
    ? `${pocket_id} was spoken of ${when}: every gate was open; ${score}.`
    : `${pocket_id} was left in silence ${when}: ${closedGateText[gate]}; ${score}.`;
}
