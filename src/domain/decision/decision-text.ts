/** The words for a closed gate. The reason of a silence is more exact: see silence-reason.ts. */
import { gates } from './gates.ts';

/** What can withhold a line: a gate, or the voice when all gates are open. */
export const closedGates = [...gates, 'voice'] as const;
export type ClosedGate = (typeof closedGates)[number];

/** Why a closed gate withheld the line, worded as the end of a sentence. */
export const closedGateText: Record<ClosedGate, string> = {
  resonance: 'not enough reasons to speak',
  moment_silence: 'the moment asks for silence',
  why_this_place: 'nothing sets this place apart now',
  why_now: 'no reason to say it at this hour',
  why_this_person: 'too few people are around to whom it would matter',
  why_worth_attention: 'it is not worth the attention it would take',
  why_low_effort: 'getting there would take too much effort',
  voice: 'the drafted line broke the style rules',
};
