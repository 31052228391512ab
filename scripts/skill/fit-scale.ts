// The scale of a series that has no calm share, from its past values.
import { type LevelScale, transform } from '../../src/domain/forecaster/index.ts';

/** A series is taken as skewed, as counts are, when its mean exceeds its median by this factor. */
const SKEWED = 1.1;
/**
 * The shift as a share of the median: well below it the scale is nearly linear, since small counts are mostly noise.
 */
const SHIFT_SHARE = 0.1;

/** Fits a scale to past values, which must be sorted and not empty. */
export function fitScale(
  sorted: ArrayLike<number>,
  calmEdge: number | null,
  classEdges: readonly number[] | null,
): LevelScale {
  const count = sorted.length;
  const values = Array.from(sorted);
  const mean = values.reduce((sum, v) => sum + v, 0) / count;
  const median = quantile(sorted, 0.5);
  const skewed = (sorted[0] as number) >= 0 && mean > SKEWED * median;
  const shift = skewed ? SHIFT_SHARE * (median || mean || 1) : null;
  const transformed = values.map((value) => transform({ shift }, value));
  const centre = transformed.reduce((sum, z) => sum + z, 0) / count;
  const variance = transformed.reduce((sum, z) => sum + (z - centre) ** 2, 0) / count;
  return { shift, centre, spread: Math.sqrt(variance) || 1, calmEdge, classEdges };
}

/** Of sorted values, interpolated linearly. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const below = sorted[low] as number;
  const above = sorted[Math.min(low + 1, sorted.length - 1)] as number;
  return below + (at - low) * (above - below);
}
