import { absoluteZScore, emptyNorm, type Norm, updateNorm } from '../stats/norm.ts';

/**
 * The norms of one pocket in one hour of its week; readings far from them are anomalous (docs/formulas.md,
 * "Anomaly").
 */
export interface HourNorm {
  footfall: Norm;
  stress: Norm;
}

export const emptyHourNorm: HourNorm = { footfall: emptyNorm, stress: emptyNorm };

/** In standard deviations. */
const MAX_Z_SCORE = 3;
/** The least standard deviation assumed, so that a steady hour does not make every change an anomaly. */
const MIN_STRESS_DEVIATION = 0.05;
/** The same for footfall, as a share of the pocket's peak. */
const MIN_FOOTFALL_DEVIATION = 0.06;

/** True where stress or footfall is far from the pocket's own norm; an unknown footfall, or too few samples, is not. */
export function isAnomalous(
  norm: HourNorm,
  stress: number,
  footfall: number | null,
  footfallPeak: number,
): boolean {
  const stressScore = absoluteZScore(norm.stress, stress, MIN_STRESS_DEVIATION) ?? 0;
  const footfallScore =
    footfall === null
      ? 0
      : (absoluteZScore(norm.footfall, footfall, MIN_FOOTFALL_DEVIATION * footfallPeak) ?? 0);
  return Math.max(stressScore, footfallScore) > MAX_Z_SCORE;
}

export const updateHourNorm = (norm: HourNorm, stress: number, footfall: number | null): HourNorm => ({
  stress: updateNorm(norm.stress, stress),
  footfall: footfall === null ? norm.footfall : updateNorm(norm.footfall, footfall),
});
