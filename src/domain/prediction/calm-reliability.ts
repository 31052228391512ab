/**
 * Whether a stated calm probability can be relied on: of the forecasts that gave it, how many were for a time at which
 * the pocket was calm (docs/formulas.md, "Accuracy report").
 */

import { meanFromSum, roundedShare, type Sums, sumRows } from '../stats/rollup.ts';
import { HORIZONS, projectionGenerator } from './prediction.ts';

/** `tenth`: 0 is a probability under 0.1, 9 one of 0.9 and more. `waking`: 1 for a time in waking hours. */
export interface CalmKey {
  generator: string;
  shadow: number;
  waking: number;
  tenth: number;
}

/** `calm` counts the forecasts after which the pocket was calm; `probability` sums what was stated, in units of 1/UNIT. */
export type CalmSum = 'forecasts' | 'calm' | 'probability';
export const calmSums = ['forecasts', 'calm', 'probability'] as const satisfies CalmSum[];

export type CalmRow = Pick<CalmKey, 'generator' | 'waking' | 'tenth'> & Sums<CalmSum>;

/** For each horizon that has forecasts, all ten tenths. */
export function calmReliability(rows: readonly CalmRow[]) {
  return HORIZONS.flatMap((horizon_minutes) => {
    const own = rows.filter(({ generator }) => generator === projectionGenerator(horizon_minutes));
    if (!own.length) return [];
    const byTenth = Map.groupBy(own, ({ tenth }) => tenth);
    return [
      {
        horizon_minutes,
        tenths: Array.from({ length: 10 }, (_, n) => tenthReliability(n, byTenth.get(n) ?? [])),
      },
    ];
  });
}

function tenthReliability(n: number, rows: readonly CalmRow[]) {
  const waking = rows.filter((row) => row.waking === 1);
  return {
    /** The lower end of the tenth. */
    from: n / 10,
    ...reliabilityFigures(rows),
    waking_hours: reliabilityFigures(waking),
  };
}

function reliabilityFigures(rows: readonly CalmRow[]) {
  const n = sumRows(rows, 'forecasts');
  return {
    n,
    stated: meanFromSum(sumRows(rows, 'probability'), n),
    was_calm: roundedShare(sumRows(rows, 'calm'), n),
  };
}
