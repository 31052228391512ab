/**
 * How a place's raw value becomes a level: mean about 0, standard deviation about 1, calmer when lower. Counts that
 * range from tens to thousands are taken as logarithms, so that a doubling is the same difference at any level.
 */
export interface LevelScale {
  /** Added before the logarithm; null when the value is taken without one. */
  shift: number | null;
  centre: number;
  /** The standard deviation, negative where high values are the calm ones. */
  spread: number;
  /** The value below which (above which, where spread is negative) the place is calm; null if no value decides. */
  calmEdge: number | null;
  /** The values between the classes, when classes are ranges of the value in the order of the level. */
  classEdges: readonly number[] | null;
}

const transform = (scale: Pick<LevelScale, 'shift'>, value: number): number =>
  scale.shift === null ? value : Math.log(Math.max(value, 0) + scale.shift);

export const levelOf = (scale: LevelScale, value: number): number =>
  (transform(scale, value) - scale.centre) / scale.spread;

/** The inverse of `levelOf`. */
export function valueAt(scale: LevelScale, level: number): number {
  const x = level * scale.spread + scale.centre;
  return scale.shift === null ? x : Math.max(0, Math.exp(x) - scale.shift);
}

/** The scale of a calm share, 0..1: `calmEdge` and above is calm. */
export const calmShareScale = (calmEdge: number): LevelScale => ({
  shift: null,
  centre: 0.5,
  spread: -0.25,
  calmEdge,
  classEdges: null,
});

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
