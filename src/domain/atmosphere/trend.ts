import { clamp, round } from '../stats/unit-scale.ts';

export const trendDirections = ['rising_calm', 'rising_stress', 'stable', 'mixed'] as const;

/** The change of calm and stress over a window (docs/formulas.md, "Trend"). */
export interface Trend {
  direction: (typeof trendDirections)[number];
  /** The larger of the two changes, 0..1 as calm and stress themselves. */
  magnitude: number;
}

/** A smaller change over the window counts as none: a person in the pocket would not notice it. */
const MIN_CHANGE = 0.05;

/** Readings are oldest first. The changes are those of a straight line fitted through the window. */
export function computeTrend(readings: readonly { slot: number; calm: number; stress: number }[]): Trend {
  const calm = fittedChange(readings.map(({ slot, calm }) => [slot, calm]));
  const stress = fittedChange(readings.map(({ slot, stress }) => [slot, stress]));
  return {
    direction: trendDirection(calm, stress),
    magnitude: round(Math.max(Math.abs(calm), Math.abs(stress))),
  };
}

function trendDirection(calm: number, stress: number): Trend['direction'] {
  if (Math.abs(calm) < MIN_CHANGE && Math.abs(stress) < MIN_CHANGE) return 'stable';
  if (calm >= MIN_CHANGE && stress < MIN_CHANGE) return 'rising_calm';
  if (stress >= MIN_CHANGE && calm < MIN_CHANGE) return 'rising_stress';
  return 'mixed';
}

/**
 * The change over the window of the least-squares line through the points. The line may leave the scale where the values
 * cannot: each of its ends counts as no further than the end of the scale.
 */
function fittedChange(points: readonly (readonly [time: number, value: number])[]): number {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || first === last) return 0;
  const span = last[0] - first[0];
  const xs = points.map(([time]) => (time - first[0]) / span);
  const meanX = xs.reduce((a, b) => a + b, 0) / xs.length;
  const meanY = points.reduce((sum, [, value]) => sum + value, 0) / points.length;
  let covariance = 0;
  let variance = 0;
  points.forEach(([, value], i) => {
    const dx = (xs[i] ?? 0) - meanX;
    covariance += dx * (value - meanY);
    variance += dx * dx;
  });
  const slope = covariance / variance;
  const at = (x: number): number => clamp(meanY + slope * (x - meanX));
  return at(1) - at(0);
}
