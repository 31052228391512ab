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

export const transform = (scale: Pick<LevelScale, 'shift'>, value: number): number =>
  scale.shift === null ? value : Math.log(Math.max(value, 0) + scale.shift);

export const scaledLevel = (scale: LevelScale, value: number): number =>
  (transform(scale, value) - scale.centre) / scale.spread;

/** The inverse of `scaledLevel`. */
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
