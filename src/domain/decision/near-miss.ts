import { round } from '../stats/unit-scale.ts';
import { type Gate, gates, gateThresholds, toGateResults } from './gates.ts';

/** How little a gate's score may lack for its silence to be worth a second look. */
export const NEAR_MISS_MARGIN = 0.02;

/** The one gate that kept a line back, by a hair; null where several did, none did, or it was no close call. */
export function nearMiss(scores: Record<Gate, number>): Gate | null {
  const results = toGateResults(scores);
  const [closed, ...others] = gates.filter((gate) => !results[gate].passed);
  if (closed === undefined || others.length) return null;
  return round(gateThresholds[closed] - scores[closed], 4) <= NEAR_MISS_MARGIN ? closed : null;
}
