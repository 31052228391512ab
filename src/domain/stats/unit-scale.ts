/** Small arithmetic on the 0..1 scale. */

export const clamp = (x: number, low = 0, high = 1): number => Math.min(high, Math.max(low, x));

/** Where `x` lies between `from` (0) and `to` (1); `from` may be the larger. */
export const ramp = (x: number, from: number, to: number): number => clamp((x - from) / (to - from));

export const round = (x: number, places = 3): number => {
  const unit = 10 ** places;
  // Adding 0 turns a negative zero into a plain one.
  return Math.round(x * unit) / unit + 0;
};

/** Nothing to average gives null, not 0. */
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
