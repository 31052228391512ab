// Near misses, computed again from the gates that are sealed with a silence (docs/formulas.md, "Near miss").
import type { Entry } from '../entry.ts';
import { round } from '../figures/scores.ts';

/** Scores from which each gate is open (docs/formulas.md, "Gates and decision"). */
const OPEN_FROM: Record<string, number> = {
  resonance: 0.5,
  moment_silence: 1,
  why_this_place: 0.5,
  why_now: 0.845,
  why_this_person: 0.4,
  why_worth_attention: 0.7,
  why_low_effort: 0.75,
};
const LEAST_LEGITIMACY = 70;
const MARGIN = 0.02;

/** The only gate that closed, where its score was short by little; null otherwise. */
export function nearMiss({ legitimacy_score, gates }: Entry['payload']): string | null {
  if (typeof gates !== 'object' || gates === null || Number(legitimacy_score) < LEAST_LEGITIMACY) return null;
  const scores = gates as Record<string, unknown>;
  const closed = Object.keys(OPEN_FROM).filter((gate) => {
    const score = scores[gate];
    return typeof score === 'number' && score < (OPEN_FROM[gate] as number);
  });
  const [gate, ...others] = closed;
  if (gate === undefined || others.length > 0) return null;
  const short = (OPEN_FROM[gate] as number) - Number(scores[gate]);
  return round(short, 4) <= MARGIN ? gate : null;
}
