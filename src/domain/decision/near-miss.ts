import { round } from '../stats/unit-scale.ts';
import { type Gate, gates, least, resultsOf } from './gates.ts';

/** How little a gate's score may lack for its silence to be worth a second look. */
export const NEAR = 0.02;

/** The one gate that kept a line back, by a hair; null where several did, none did, or it was no close call. */
export function nearMiss(scores: Record<Gate, number>): Gate | null {
  const results = resultsOf(scores);
  const [closed, ...others] = gates.filter((gate) => !results[gate].passed);
  if (closed === undefined || others.length) return null;
  return round(least[closed] - scores[closed], 4) <= NEAR ? closed : null;
}
