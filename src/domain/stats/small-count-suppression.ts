/**
 * Small counts are not shown, so that no person or outlet can be singled out. This is the smallest that is. Counts of
 * people's words are safe from subtraction too: perception/sense-release.ts.
 */
export const SMALLEST_COUNT = 5;

/** The count, or null when it is too small to show. */
export const suppressSmallCount = (count: number | null): number | null =>
  count === null || count < SMALLEST_COUNT ? null : count;
