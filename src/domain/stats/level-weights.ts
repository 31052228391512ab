/**
 * The levels that a value counts for, with its weight in each: the two that it lies between, by its distance from them,
 * or the first or last level where it lies beyond. The levels rise.
 */
export function levelWeights(levels: readonly number[], value: number): { index: number; weight: number }[] {
  const above = levels.findIndex((level) => level > value);
  const [low, high] = above < 0 ? [levels.length - 1, levels.length - 1] : [Math.max(0, above - 1), above];
  const [from = 0, to = 0] = [levels[low], levels[high]];
  const share = from < to && value > from ? (value - from) / (to - from) : 0;
  return [
    { index: low, weight: 1 - share },
    { index: high, weight: share },
  ].filter(({ weight }) => weight > 0);
}
