/** Near misses: silences that a person may want to review (docs/formulas.md, "Near miss"). */

import { round } from '../stats/unit-scale.ts';
import { type Gate, type GateScores, gates, gateThresholds, toGateResults } from './gates.ts';

/** The largest shortfall of a gate's score that still counts as a near miss. */
export const NEAR_MISS_MARGIN = 0.02;

/** The only closed gate, when its score falls short by at most the margin; null otherwise. */
export function nearMiss(scores: GateScores): Gate | null {
  const results = toGateResults(scores);
  const [closed, ...others] = gates.filter((gate) => !results[gate].passed);
  const score = closed === undefined ? null : scores[closed];
  if (closed === undefined || score === null || others.length) return null;
  return round(gateThresholds[closed] - score, 4) <= NEAR_MISS_MARGIN ? closed : null;
}
