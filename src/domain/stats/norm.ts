/** What is usual: a running mean and variance that forget old samples, so that a norm follows a pocket that changes. */
export interface Norm {
  samples: number;
  mean: number;
  variance: number;
}

/** Eight weeks of four quarter hours: up to this many samples all count alike, after it older ones lose weight. */
const MEMORY = 32;

export const emptyNorm: Norm = { samples: 0, mean: 0, variance: 0 };

export function updateNorm(norm: Norm, value: number): Norm {
  const samples = Math.min(norm.samples + 1, MEMORY);
  const share = 1 / samples;
  const difference = value - norm.mean;
  return {
    samples,
    mean: norm.mean + share * difference,
    variance: (1 - share) * (norm.variance + share * difference * difference),
  };
}

/**
 * Distance from the mean in standard deviations; null with too few samples. `floor` is the least standard deviation
 * assumed.
 */
export function absoluteZScore(norm: Norm, value: number, floor: number): number | null {
  if (norm.samples < MIN_SAMPLES) return null;
  return Math.abs(value - norm.mean) / Math.max(Math.sqrt(norm.variance), floor);
}

/** Two weeks of one hour of the week. */
export const MIN_SAMPLES = 8;
