/**
 * How a place's raw value becomes a level: about 0 on average, about 1 of spread, the calmer the lower.
 * Counts that span tens to thousands are read as logarithms, so that a doubling is the same step anywhere.
 */
export interface Scale {
  /** Added before the logarithm; null when the value is read as it stands. */
  shift: number | null;
  centre: number;
  /** Negative where a high value is the calm one. */
  spread: number;
  /** The value below which (above which, where spread is negative) the place is calm; null if no value decides. */
  calmEdge: number | null;
  /** The values that part the classes, when classes are ranges of the value in the order of the level. */
  classEdges: readonly number[] | null;
}

const read = (scale: Pick<Scale, 'shift'>, value: number): number =>
  scale.shift === null ? value : Math.log(Math.max(value, 0) + scale.shift);

export const levelOf = (scale: Scale, value: number): number =>
  (read(scale, value) - scale.centre) / scale.spread;

export function valueAt(scale: Scale, level: number): number {
  const x = level * scale.spread + scale.centre;
  return scale.shift === null ? x : Math.max(0, Math.exp(x) - scale.shift);
}

/** A share of 0..1, such as calm itself, of which `calmEdge` and more is calm. */
export const calmShare = (calmEdge: number): Scale => ({
  shift: null,
  centre: 0.5,
  spread: -0.25,
  calmEdge,
  classEdges: null,
});

/** A mean that far above the median marks a skewed series, as counts are. */
const SKEWED = 1.1;
/** Under a tenth of the median the logarithm gives way to a straight line: there it is noise of small counts. */
const SHIFT_SHARE = 0.1;

/** Learns a scale from values seen before; they must be sorted and not empty. */
export function scaleFrom(
  sorted: ArrayLike<number>,
  calmEdge: number | null,
  classEdges: readonly number[] | null,
): Scale {
  const count = sorted.length;
  const values = Array.from(sorted);
  const mean = values.reduce((sum, v) => sum + v, 0) / count;
  const median = quantile(sorted, 0.5);
  const skewed = (sorted[0] as number) >= 0 && mean > SKEWED * median;
  const shift = skewed ? SHIFT_SHARE * (median || mean || 1) : null;
  const levels = values.map((value) => read({ shift }, value));
  const centre = levels.reduce((sum, z) => sum + z, 0) / count;
  const variance = levels.reduce((sum, z) => sum + (z - centre) ** 2, 0) / count;
  return { shift, centre, spread: Math.sqrt(variance) || 1, calmEdge, classEdges };
}

/** Of sorted values, with straight lines between them. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const below = sorted[low] as number;
  const above = sorted[Math.min(low + 1, sorted.length - 1)] as number;
  return below + (at - low) * (above - below);
}
