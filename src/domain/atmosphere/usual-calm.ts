/** What is usual for a pocket at an hour of its week, and how the present compares (docs/formulas.md, "Usual calm"). */
import { MIN_SAMPLES, type Norm } from '../stats/norm.ts';
import { round } from '../stats/unit-scale.ts';

export const againstUsual = ['calmer', 'as_usual', 'less_calm'] as const;
export type AgainstUsual = (typeof againstUsual)[number];

/** A smaller difference of the calm level is called as usual. */
export const NOTICEABLE = 0.05;
/** From here on a difference is called much. */
export const MUCH = 0.15;

/** The usual calm level; null with less than two weeks of readings. */
export const usualCalm = (norm: Norm | undefined): number | null =>
  norm && norm.samples >= MIN_SAMPLES ? round(norm.mean) : null;

/** Null where one of the two is not known. Both have three decimals, and so has their difference. */
export function compareWithUsual(calm_level: number | null, usual: number | null): AgainstUsual | null {
  if (calm_level === null || usual === null) return null;
  const difference = round(calm_level - usual);
  if (Math.abs(difference) < NOTICEABLE) return 'as_usual';
  return difference > 0 ? 'calmer' : 'less_calm';
}
