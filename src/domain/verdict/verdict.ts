/** The verdict on a decision, sealed at the end that was judged (docs/formulas.md, "Verdicts"). */
import { round } from '../stats/unit-scale.ts';
import { HOUR, iso, SLOT } from '../time/slot.ts';
import { type Aftermath, hasServed, type LineOutcome, lineServes, RULE } from './line-serves.ts';

/** A decision as it was sealed: a line that was said, or a silence with the line that was drafted. */
export interface SealedDecision {
  id: string;
  pocket_id: string;
  slot: number;
  /** The end that is judged. */
  ends_at: number;
  usual_calm: number | null;
  spoke: boolean;
  /** Its row of the ledger. */
  leaf: number;
}

export const verdictId = (decision: string): string => `${decision}.verdict`;
export const isVerdictId = (id: string): boolean => id.endsWith('.verdict');

/** The slots whose readings decide, from that of the decision to the end. */
export const slotsJudged = ({ slot, ends_at }: Pick<SealedDecision, 'slot' | 'ends_at'>): number[] =>
  Array.from({ length: Math.floor((ends_at - slot) / SLOT) + 1 }, (_, n) => slot + n * SLOT);

/** What is sealed: the claim, the readings that decided, and what follows from them. */
export function verdictPayload(decision: SealedDecision, after: Aftermath) {
  const { id, pocket_id, slot, ends_at, usual_calm, spoke, leaf } = decision;
  const outcome = lineServes(after, usual_calm);
  return {
    type: 'verdict' as const,
    id: verdictId(id),
    decision_id: id,
    decision: spoke ? ('line' as const) : ('silence' as const),
    decision_leaf: leaf,
    pocket_id,
    decided_at: iso(slot),
    revealed_at: iso(ends_at),
    usual_calm,
    calm: after.calm,
    calm_state: after.calm_state,
    served: hasServed(outcome),
    outcome,
    rule: RULE,
  };
}
export type VerdictPayload = ReturnType<typeof verdictPayload>;

/** The four cells of decisions and their outcomes, and what could not be judged. */
export interface DecisionCells {
  spoke_served: number;
  spoke_failed: number;
  silent_right: number;
  silent_wrong: number;
  inconclusive: number;
}

const texts: Record<'line' | 'silence', Record<LineOutcome, string>> = {
  line: {
    served: 'the calm held to the end that was named, above what is usual',
    not_calm: 'the pocket was not calm when it was said',
    did_not_hold: 'the calm did not hold to the end that was named',
    usually_calm: 'the pocket is usually calm then, so the line was no news',
    no_better: 'the calm was not noticeably above what is usual',
    unknown_readings: 'too little was observed to judge',
    unknown_usual: 'what is usual then was not known',
  },
  silence: {
    served: 'the calm held, above what is usual: a line would have served',
    not_calm: 'the pocket was not calm',
    did_not_hold: 'the calm did not hold',
    usually_calm: 'the pocket is usually calm then, so a line would have been no news',
    no_better: 'the calm was not noticeably above what is usual',
    unknown_readings: 'too little was observed to judge',
    unknown_usual: 'what is usual then was not known',
  },
};

/** Why a decision was right or wrong, as the end of a sentence. */
export const verdictText = (spoke: boolean, outcome: LineOutcome): string =>
  texts[spoke ? 'line' : 'silence'][outcome];

/** An assumption, not a measurement: of the passers-by one in twenty-five would have looked, for fifteen seconds each. */
const LOOKING_SHARE = 1 / 25;
const MINUTES_FOR_EACH_LOOK = 0.25;

/**
 * Minutes that a line would have taken from the people who pass in its quarter hour, at `footfall` people an hour; null
 * where nobody was counted, which sums leave out.
 */
export const attentionMinutes = (footfall: number | null): number | null =>
  footfall === null ? null : round(footfall * (SLOT / HOUR) * LOOKING_SHARE * MINUTES_FOR_EACH_LOOK, 2);
