/** Aggregates show no count of people or outlets below this. */
export const SMALLEST_COUNT = 5;

/** The count, or null when so few could be told apart. */
export const suppressSmallCount = (count: number | null): number | null =>
  count === null || count < SMALLEST_COUNT ? null : count;

/**
 * The parts of a total that is itself shown. Where the withheld ones could be found by subtraction, and come to fewer
 * than the floor together, the smallest part that is left is withheld as well.
 */
export function suppressSmallParts<K extends string>(
  counts: Readonly<Record<K, number>>,
): Record<K, number | null> {
  const shown: Record<K, number | null> = { ...counts };
  let withheld = 0;
  for (const key of (Object.keys(counts) as K[]).sort((a, b) => counts[a] - counts[b])) {
    if (counts[key] >= SMALLEST_COUNT && (withheld === 0 || withheld >= SMALLEST_COUNT)) continue;
    withheld += counts[key];
    shown[key] = null;
  }
  return shown;
}
