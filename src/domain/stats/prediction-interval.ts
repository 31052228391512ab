import { clamp, round } from './unit-scale.ts';

/** The share of past forecasts whose error is at most half the width of the interval. */
const INTERVAL_SHARE = 0.8;
/** With fewer past errors there is no interval. */
export const MIN_ERRORS = 20;

export interface PredictionInterval {
  low: number;
  high: number;
  /** How many past forecasts it is computed from. */
  n: number;
}

/**
 * The interval in which calm is likely to lie: symmetric around the expected calm, with the 80th percentile of the
 * absolute errors of past forecasts of the same pocket and horizon on either side. Null while there are too few.
 */
export function predictionInterval(expected: number, errors: readonly number[]): PredictionInterval | null {
  const n = errors.length;
  if (n < MIN_ERRORS) return null;
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const margin = sizes[Math.ceil(INTERVAL_SHARE * n) - 1] ?? 0;
  return { low: round(clamp(expected - margin)), high: round(clamp(expected + margin)), n };
}
