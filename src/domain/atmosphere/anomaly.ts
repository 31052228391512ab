import { absoluteZScore, emptyNorm, type Norm, updateNorm } from '../stats/norm.ts';

/**
 * The norms of one pocket in one hour of its week; readings far from them are anomalous (docs/formulas.md,
 * "Anomaly").
 */
export interface HourNorm {
  crowd: Norm;
  stress: Norm;
  /** No anomaly is judged by it: calm follows from stress and crowd. It tells what is usual at an hour. */
  calm: Norm;
}

export const emptyHourNorm: HourNorm = { crowd: emptyNorm, stress: emptyNorm, calm: emptyNorm };

/** In standard deviations. */
const MAX_Z_SCORE = 3;
/** The least standard deviation assumed, so that a steady hour does not make every change an anomaly. */
const MIN_STRESS_DEVIATION = 0.05;
/** The same for the crowd, which is a share of the pocket's peak. */
const MIN_CROWD_DEVIATION = 0.06;

/** True where stress or crowd is far from the pocket's own norm; an unknown crowd, or too few samples, is not. */
export function isAnomalous(norm: HourNorm, stress: number, crowd: number | null): boolean {
  const stressScore = absoluteZScore(norm.stress, stress, MIN_STRESS_DEVIATION) ?? 0;
  const crowdScore = crowd === null ? 0 : (absoluteZScore(norm.crowd, crowd, MIN_CROWD_DEVIATION) ?? 0);
  return Math.max(stressScore, crowdScore) > MAX_Z_SCORE;
}

export const updateHourNorm = (
  norm: HourNorm,
  { stress, calm }: { stress: number; calm: number },
  crowd: number | null,
): HourNorm => ({
  stress: updateNorm(norm.stress, stress),
  calm: updateNorm(norm.calm, calm),
  crowd: crowd === null ? norm.crowd : updateNorm(norm.crowd, crowd),
});
