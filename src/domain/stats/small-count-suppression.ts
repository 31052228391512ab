/** Small counts are not shown, so that no person or outlet can be singled out. This is the smallest that is. */
export const SMALLEST_COUNT = 5;

/** The count, or null when it is too small to show. */
export const suppressSmallCount = (count: number | null): number | null =>
  count === null || count < SMALLEST_COUNT ? null : count;

/**
 * The parts of a total that is itself shown. Subtracting the shown parts from the total gives the sum of the withheld
 * ones; where that sum would be too small to show, the smallest part that is left is withheld as well.
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
