/** Arithmetic of numbers in 0..1. */

export const clamp = (x: number, low = 0, high = 1): number => Math.min(high, Math.max(low, x));

/** Linear from 0 at `from` to 1 at `to`, constant outside; `from` may be the larger. */
export const ramp = (x: number, from: number, to: number): number => clamp((x - from) / (to - from));

export const round = (x: number, places = 3): number => {
  const unit = 10 ** places;
  // Adding 0 turns a negative zero into 0.
  return Math.round(x * unit) / unit + 0;
};

/** The mean over the values that are known; null, not 0, when there are none. */
export function weightedMean(
  parts: readonly (readonly [value: number | null, weight: number])[],
): number | null {
  let sum = 0;
  let weights = 0;
  for (const [value, weight] of parts) {
    if (value === null) continue;
    sum += value * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : null;
}
