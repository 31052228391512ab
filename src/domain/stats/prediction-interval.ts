import { clamp, round } from './unit-scale.ts';

/** Of past forecasts, so many lay as near to what came as the band is wide. */
export const INTERVAL_SHARE = 0.8;
/** Fewer tell nothing of what is usual. */
export const MIN_ERRORS = 20;

export interface PredictionInterval {
  low: number;
  high: number;
  /** How many past forecasts it is drawn from. */
  n: number;
}

/**
 * Where calm is likely to lie: as far to both sides of what is expected as 80 of 100 past forecasts of the same horizon
 * were off at most. Null while too few are known.
 */
export function predictionInterval(expected: number, misses: readonly number[]): PredictionInterval | null {
  const n = misses.length;
  if (n < MIN_ERRORS) return null;
  const sizes = misses.map(Math.abs).sort((a, b) => a - b);
  const reach = sizes[Math.ceil(INTERVAL_SHARE * n) - 1] ?? 0;
  return { low: round(clamp(expected - reach)), high: round(clamp(expected + reach)), n };
}
