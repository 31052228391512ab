// Figures inside sentences, where rounding must not contradict the rule that the sentence is about.

/**
 * A value rounded to that many decimals, or as many more as keep it on its side of the threshold: 0.496 against 0.5 is
 * '0.496', since '0.50' would look as if it had passed.
 */
export function roundAgainst(value: number, threshold: number, least = 2): string {
  const side = Math.sign(value - threshold);
  for (let digits = least; digits <= least + 4; digits++) {
    const shown = value.toFixed(digits);
    if (Math.sign(Number(shown) - threshold) === side) return shown;
  }
  return String(value);
}

/** A share as a percentage: 0.54 is '54 %', with a space that does not break. The style of every page and line. */
export const percentText = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)}\u00a0%`;

/** A share as a whole percentage, with decimals where it would else be rounded across the threshold or to nothing. */
export function percentAgainst(share: number, threshold: number): string {
  if (share > 0 && share < 0.005) return 'under 1\u00a0%';
  // Percentages of shares such as 0.29 are not exact in binary.
  const exact = (part: number): number => Number((100 * part).toFixed(9));
  return `${roundAgainst(exact(share), exact(threshold), 0)}\u00a0%`;
}
