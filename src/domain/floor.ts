/** Aggregates show no count of people or outlets below this. */
export const FLOOR = 5;

/** The count, or null when so few could be told apart. */
export const aboveFloor = (count: number | null): number | null =>
  count === null || count < FLOOR ? null : count;

/**
 * The parts of a total that is itself shown. Where the withheld ones could be found by subtraction, and come to fewer
 * than the floor together, the smallest part that is left is withheld as well.
 */
export function partsAboveFloor<K extends string>(
  counts: Readonly<Record<K, number>>,
): Record<K, number | null> {
  const parts = Object.entries<number>(counts).sort(([, a], [, b]) => a - b);
  let withheld = 0;
  const shown = parts.map(([key, count]): [string, number | null] => {
    if (count >= FLOOR && (withheld === 0 || withheld >= FLOOR)) return [key, count];
    withheld += count;
    return [key, null];
  });
  return Object.fromEntries(shown) as Record<K, number | null>;
}
