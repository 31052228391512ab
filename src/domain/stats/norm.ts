/** A running mean and variance that slowly forget, so that a norm follows a pocket that changes. */
export interface Norm {
  samples: number;
  mean: number;
  variance: number;
}

/** Four quarter hours a week for eight weeks: older weeks fade from there on. */
const MEMORY = 32;

export const emptyNorm: Norm = { samples: 0, mean: 0, variance: 0 };

export function updateNorm(norm: Norm, value: number): Norm {
  const samples = Math.min(norm.samples + 1, MEMORY);
  const share = 1 / samples;
  const surprise = value - norm.mean;
  return {
    samples,
    mean: norm.mean + share * surprise,
    variance: (1 - share) * (norm.variance + share * surprise * surprise),
  };
}

/** How many standard deviations from the norm; null while too little was seen. `floor` is the least deviation believed. */
export function absoluteZScore(norm: Norm, value: number, floor: number): number | null {
  if (norm.samples < MIN_SAMPLES) return null;
  return Math.abs(value - norm.mean) / Math.max(Math.sqrt(norm.variance), floor);
}

/** Two weeks of one hour of the week. */
export const MIN_SAMPLES = 8;
