/** Sums by key, and the vindication rate (docs/formulas.md, "Vindication rate"). */
import { round } from './unit-scale.ts';

/** Sums by a key, largest first and then by name. */
export function sumByKey<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  amountOf: (row: T) => number,
): [key: string, amount: number][] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + amountOf(row));
  return [...sums].sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1));
}

export interface VerdictCounts {
  vindicated: number;
  missed: number;
  inconclusive: number;
}

/** Of those with a verdict, the share for which silence was right; null when there are none. */
export const vindicationRate = ({
  vindicated,
  missed,
}: Omit<VerdictCounts, 'inconclusive'>): number | null =>
  vindicated + missed > 0 ? round(vindicated / (vindicated + missed)) : null;
