// Compares the figures of each group and of each month with those computed from the rows.
import type { Value } from './difference.ts';
import { type ForecastSums, noForecasts } from './forecast-sums.ts';
import { CELLS, type Cells, type Groups, noCells } from './groups.ts';
import { roundedShare } from './scores.ts';
import { rowsAt, valueAt } from './served.ts';

/** Says what is wrong with the first of these values; see `wrongValue` of compare.ts. */
export type Compare = (
  address: string,
  served: unknown,
  computed: Readonly<Record<string, Value>>,
) => string | undefined;

/** The lists of the accuracy report, with the field that names a row of each. */
const lists = [
  ['by_type', 'prediction_type', 'type'],
  ['by_pocket', 'pocket_id', 'pocket'],
  ['by_horizon', 'horizon_minutes', 'horizon'],
] as const;

/** Accuracy apart for each type, pocket and horizon: every group of the rows is served, and no other. */
export function wrongGroups(compare: Compare, served: unknown, { forecasts }: Groups): string | undefined {
  for (const [list, field, kind] of lists) {
    const given = new Map(rowsAt(served, list).map((row) => [`${kind} ${valueAt(row, field)}`, row]));
    const computed = [...forecasts.keys()].filter((key) => key.startsWith(`${kind} `));
    for (const key of new Set([...given.keys(), ...computed])) {
      const sums = forecasts.get(key) ?? noForecasts();
      const name = key.slice(kind.length + 1);
      const wrong = compare(`/api/accuracy ${list} ${name}`, given.get(key), groupFigures(sums));
      // A group without a scored forecast may be left out.
      if (wrong !== undefined && (given.has(key) || sums.eligible + sums.scored > 0)) return wrong;
    }
  }
  return undefined;
}

const groupFigures = (sums: ForecastSums): Record<string, Value> => ({
  count: sums.eligibleScored,
  accuracy: roundedShare(sums.eligibleHits, sums.eligibleScored),
  baseline_accuracy: roundedShare(sums.eligibleBaselineHits, sums.eligibleScored),
  'all.n': sums.scored,
  'all.accuracy': roundedShare(sums.hits, sums.scored),
  'all.baseline': roundedShare(sums.baselineHits, sums.scored),
});

const cellFigures = (cells: Cells, path: string): Record<string, Value> =>
  Object.fromEntries(CELLS.map((cell) => [`${path}${cell}`, cells[cell]]));

/** Lines and silences by their verdict, of all pockets and of each. */
export function wrongCells(compare: Compare, served: unknown, groups: Groups): string | undefined {
  const path = 'decisions_judged.';
  const wrong = compare('/api/silence', served, cellFigures(groups.cells, path));
  if (wrong !== undefined) return wrong;
  for (const row of rowsAt(served, 'per_pocket')) {
    const pocket = String(valueAt(row, 'pocket_id'));
    const cells = groups.pockets.get(pocket) ?? noCells();
    const other = compare(`/api/silence per_pocket ${pocket}`, row, cellFigures(cells, path));
    if (other !== undefined) return other;
  }
  return undefined;
}

/** The declared filter of accuracy; a report that states another one was made by another rule. */
const FILTER = { min_confidence: 0.68, min_completeness: 0.75 };

/** The monthly reports, each with the cells of its pockets. */
export function wrongMonths(
  compare: Compare,
  served: readonly unknown[],
  groups: Groups,
): string | undefined {
  for (const report of served) {
    const month = String(valueAt(report, 'month_iso'));
    const address = `/api/state-of-restraint ${month}`;
    const sums = groups.months.get(month);
    if (!sums) return `${address} is a report of a month that the rows do not have`;
    const { said, withheld, cells, forecasts } = sums;
    const [right, wrong] = [cells.silent_right, cells.silent_wrong];
    const metrics = valueAt(report, 'metrics');
    const isKnownFilter = Object.entries(FILTER).every(
      ([name, value]) => valueAt(metrics, `filter.${name}`) === value,
    );
    const other =
      compare(address, metrics, {
        signals_emitted_count: said,
        signals_withheld_count: withheld,
        silence_correctness_rate: roundedShare(right, right + wrong),
        ...cellFigures(cells, 'decisions_judged.'),
        'all_forecasts.n': forecasts.scored,
        'all_forecasts.accuracy': roundedShare(forecasts.hits, forecasts.scored),
        'all_forecasts.baseline': roundedShare(forecasts.baselineHits, forecasts.scored),
        ...(isKnownFilter && {
          accuracy_high_confidence: roundedShare(forecasts.eligibleHits, forecasts.eligibleScored),
          naive_baseline_accuracy: roundedShare(forecasts.eligibleBaselineHits, forecasts.eligibleScored),
        }),
      }) ?? wrongPockets(compare, address, report, sums.pockets);
    if (other !== undefined) return other;
  }
  return undefined;
}

function wrongPockets(
  compare: Compare,
  address: string,
  report: unknown,
  pockets: ReadonlyMap<string, Cells>,
): string | undefined {
  for (const row of rowsAt(report, 'per_pocket')) {
    const pocket = String(valueAt(row, 'pocket_id'));
    const cells = pockets.get(pocket) ?? noCells();
    const wrong = compare(`${address} ${pocket}`, row, cellFigures(cells, 'decisions_judged.'));
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
