import { distance, emptyNorm, learn, type Norm } from '../stats/norm.ts';

/** What is usual for one pocket in one hour of its week. */
export interface HourNorm {
  footfall: Norm;
  stress: Norm;
}

export const emptyHourNorm: HourNorm = { footfall: emptyNorm, stress: emptyNorm };

const FAR = 3;
const STRESS_FLOOR = 0.05;
/** As a share of the pocket's ordinary peak. */
const FOOTFALL_FLOOR = 0.06;

/** Far from this pocket's own norm for the hour of the week. */
export function isAnomalous(
  norm: HourNorm,
  stress: number,
  footfall: number | null,
  footfallPeak: number,
): boolean {
  const tense = distance(norm.stress, stress, STRESS_FLOOR) ?? 0;
  const crowded =
    footfall === null ? 0 : (distance(norm.footfall, footfall, FOOTFALL_FLOOR * footfallPeak) ?? 0);
  return Math.max(tense, crowded) > FAR;
}

export const learnHour = (norm: HourNorm, stress: number, footfall: number | null): HourNorm => ({
  stress: learn(norm.stress, stress),
  footfall: footfall === null ? norm.footfall : learn(norm.footfall, footfall),
});
