import { absoluteZScore, emptyNorm, type Norm, updateNorm } from '../stats/norm.ts';
import { isCalmState, type PrimaryState } from './primary-state.ts';

/**
 * The norms of one pocket in one hour of its week; readings far from them are anomalous (docs/formulas.md,
 * "Anomaly").
 */
export interface HourNorm {
  crowd: Norm;
  stress: Norm;
  /** No anomaly is judged by it: calm follows from stress and crowd. It tells what is usual at an hour. */
  calm: Norm;
  /** The share of readings in a calm state, over the samples of `calm`. */
  calm_share: number;
}

export const emptyHourNorm: HourNorm = {
  crowd: emptyNorm,
  stress: emptyNorm,
  calm: emptyNorm,
  calm_share: 0,
};

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

export function updateHourNorm(
  norm: HourNorm,
  { stress, calm, primary_state }: { stress: number; calm: number; primary_state: PrimaryState },
  crowd: number | null,
): HourNorm {
  const calmNorm = updateNorm(norm.calm, calm);
  const isCalm = isCalmState(primary_state) ? 1 : 0;
  return {
    stress: updateNorm(norm.stress, stress),
    calm: calmNorm,
    calm_share: norm.calm_share + (isCalm - norm.calm_share) / calmNorm.samples,
    crowd: crowd === null ? norm.crowd : updateNorm(norm.crowd, crowd),
  };
}
