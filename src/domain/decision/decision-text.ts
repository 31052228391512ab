/** The words for a closed gate. The reason of a silence is more exact: see silence-reason.ts. */
import { gates } from './gates.ts';

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
