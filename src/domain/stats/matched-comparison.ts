/**
 * Two groups compared within cells of like cases, so that neither is better only because it was met at better times
 * (docs/formulas.md, "Compared with not speaking").
 */

import { round } from './unit-scale.ts';

/** A group's outcomes: how many, their sum and the sum of their squares. */
export interface OutcomeSums {
  n: number;
  sum: number;
  squares: number;
}

/** Like cases of both groups. */
export interface Cell {
  treated: OutcomeSums;
  control: OutcomeSums;
}

export interface Comparison {
  /** Over all cells, as many cases as both groups have. */
  pairs: number;
  /** Mean outcome of the treated less that of the controls, each cell by its pairs; null without a pair. */
  difference: number | null;
  /** Null where no cell has two cases of one group. */
  standard_error: number | null;
}

/** With fewer, nothing is said of a difference. */
export const LEAST_PAIRS = 20;

export function compareWithinCells(cells: readonly Cell[]): Comparison {
  let [pairs, total, spread, freedom, factor] = [0, 0, 0, 0, 0];
  for (const { treated, control } of cells) {
    const own = Math.min(treated.n, control.n);
    if (own === 0) continue;
    pairs += own;
    total += own * (treated.sum / treated.n - control.sum / control.n);
    factor += own ** 2 * (1 / treated.n + 1 / control.n);
    for (const { n, sum, squares } of [treated, control]) {
      // Never below 0, whatever rounding does to equal outcomes.
      spread += Math.max(0, squares - sum ** 2 / n);
      freedom += n - 1;
    }
  }
  return {
    pairs,
    difference: pairs > 0 ? round(total / pairs, 4) : null,
    standard_error: freedom > 0 ? round(Math.sqrt((spread / freedom) * factor) / pairs, 4) : null,
  };
}

/** Comparisons of separate cases as one, each by its pairs. */
export function poolComparisons(comparisons: readonly Comparison[]): Comparison {
  let [pairs, total, variance] = [0, 0, 0];
  for (const { pairs: own, difference, standard_error } of comparisons) {
    if (difference === null || standard_error === null) continue;
    pairs += own;
    total += own * difference;
    variance += (own * standard_error) ** 2;
  }
  return {
    pairs,
    difference: pairs > 0 ? round(total / pairs, 4) : null,
    standard_error: pairs > 0 ? round(Math.sqrt(variance) / pairs, 4) : null,
  };
}

/** As it may be told: under twenty pairs nothing but their number is known. */
export const tellable = (comparison: Comparison): Comparison =>
  comparison.pairs < LEAST_PAIRS || comparison.standard_error === null
    ? { pairs: comparison.pairs, difference: null, standard_error: null }
    : comparison;
