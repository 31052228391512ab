import { type Comparison, LEAST_PAIRS, tellable } from './matched-comparison.ts';
import { round } from './unit-scale.ts';

/** Days of moments that are compared. */
export const COMPARED_DAYS = 90;

/** What is compared, and how it is said of a rise and of a fall. */
const subjects = {
  calm: ['calm an hour after speaking was', 'higher', 'lower'],
  use: ['the share of places in use an hour after speaking was', 'higher', 'lower'],
} as const;
export type Compared = keyof typeof subjects;

/** A comparison with like moments of silence as a sentence in lower case; the figures stand in points of a hundred. */
export function comparisonText(what: Compared, comparison: Comparison): string {
  const { pairs, difference, standard_error } = tellable(comparison);
  if (difference === null || standard_error === null)
    return `compared with not speaking: not known, with ${pairs} of the ${LEAST_PAIRS} pairs of like moments that it takes.`;
  const [subject, higher, lower] = subjects[what];
  const points = (value: number) => round(100 * Math.abs(value), 1);
  const size =
    points(difference) === 0
      ? 'the same as'
      : `${points(difference)} points of a hundred ${difference > 0 ? higher : lower} than`;
  const chance = Math.abs(difference) < 2 * standard_error ? '; chance alone could give that' : '';
  return `compared with not speaking: ${subject} ${size} after like moments of silence, give or take ${points(standard_error)} (${pairs} pairs, ${COMPARED_DAYS} days)${chance}.`;
}
