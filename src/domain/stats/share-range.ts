import { clamp, round } from './unit-scale.ts';

export interface ShareRange {
  low: number;
  high: number;
}

/** For a range that holds the true share in 95 of 100 cases. */
const Z = 1.96;

/**
 * The 95 % range of a share that was observed in `n` samples (Wilson's score interval). Null without samples. It takes
 * the samples as independent; forecasts of neighbouring hours are not quite, so the true range is somewhat wider.
 */
export function shareRange(share: number | null, n: number): ShareRange | null {
  if (share === null || n <= 0) return null;
  const z2 = Z * Z;
  const centre = share + z2 / (2 * n);
  const half = Z * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  const bound = (value: number) => round(clamp(value / (1 + z2 / n)));
  return { low: bound(centre - half), high: bound(centre + half) };
}
