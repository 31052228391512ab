/** Accuracy of revealed forecasts (docs/formulas.md, "Accuracy report"). */
import { type AccuracyRow, type AccuracySum, accuracySums, BAR, tenths } from '../stats/forecast-sums.ts';
import { meanOf, type Sums, shareOf, totalOf } from '../stats/rollup.ts';
import { round } from '../stats/unit-scale.ts';
import { errorTypes } from './error-taxonomy.ts';
import { predictionTypes } from './prediction.ts';

export interface ReportFilter {
  prediction_type: string | undefined;
  include_shadow: boolean;
}

/** The filter that a report states beside its figures. */
export const appliedFilter = ({ include_shadow }: ReportFilter) => ({
  min_confidence: BAR.confidence,
  min_completeness: BAR.completeness,
  include_shadow,
});

type Accuracy = Readonly<Sums<AccuracySum>>;

/** Accuracy of the eligible forecasts, however they are grouped. */
export function accuracyReport(rows: readonly AccuracyRow[], filter: ReportFilter) {
  const included = rows.filter(
    (row) =>
      row.eligible > 0 &&
      (filter.include_shadow || row.shadow === 0) &&
      (filter.prediction_type === undefined || row.prediction_type === filter.prediction_type),
  );
  const total = totals(included);
  return {
    ...headlineOf(total),
    by_type: grouped(included, ({ prediction_type }) => prediction_type, predictionTypes).map(
      ([prediction_type, found]) => ({ prediction_type, ...found }),
    ),
    by_pocket: grouped(included, ({ pocket_id }) => pocket_id).map(([pocket_id, found]) => ({
      pocket_id,
      ...found,
    })),
    calibration: calibrationOf(total),
    error_taxonomy: errorTypes.map((type) => ({ type, count: total[`eligible_${type}`] })),
    weighted_by_mqs: { accuracy: shareOf(total.mqs_hits, total.mqs) },
  };
}

/** The accuracy of all eligible forecasts, and that of the naive baseline. */
export function headlineOf(sums: Readonly<Sums<HeadlineSum>>) {
  const { hits, scored } = scoresOf(sums);
  const overall_accuracy = shareOf(hits, scored);
  const baseline_accuracy = shareOf(sums.baseline_hits, scored);
  return {
    headline: { overall_accuracy, revealed_count: scored, inconclusive_count: sums.eligible - scored },
    baseline: { baseline_accuracy, gap_vs_service: difference(baseline_accuracy, overall_accuracy) },
  };
}

/** What the headline alone is made from. */
export const headlineSums = [
  'eligible',
  'baseline_hits',
  ...tenths.flatMap((tenth) => [`scored_${tenth}`, `hits_${tenth}`] as const),
] as const satisfies AccuracySum[];
export type HeadlineSum = (typeof headlineSums)[number];

/** Every scored forecast is in one of the tenths. */
const scoresOf = (sums: Readonly<Sums<HeadlineSum>>) => ({
  scored: tenths.reduce((scored, tenth) => scored + sums[`scored_${tenth}`], 0),
  hits: tenths.reduce((hits, tenth) => hits + sums[`hits_${tenth}`], 0),
});

const totals = (rows: readonly Accuracy[]): Accuracy =>
  Object.fromEntries(accuracySums.map((sum) => [sum, totalOf(rows, sum)])) as Sums<AccuracySum>;

const difference = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : round(a - b);

/** In the order of `order`, or by name. */
function grouped<Key extends string>(
  rows: readonly AccuracyRow[],
  keyOf: (row: AccuracyRow) => Key,
  order: readonly Key[] = [...new Set(rows.map(keyOf))].sort(),
): [key: Key, found: { accuracy: number | null; count: number }][] {
  const groups = Map.groupBy(rows, keyOf);
  return order.flatMap((key) => {
    const group = groups.get(key);
    if (!group) return [];
    const { hits, scored } = scoresOf(totals(group));
    return [[key, { accuracy: shareOf(hits, scored), count: scored }]];
  });
}

/** For each tenth of confidence: how often such forecasts came true, less how often they said they would. */
function calibrationOf(total: Accuracy) {
  return Array.from({ length: 10 }, (_, n) => {
    const tenth = tenths.find((one) => one === n);
    const predictions = tenth ? total[`scored_${tenth}`] : 0;
    const observed_accuracy = tenth ? shareOf(total[`hits_${tenth}`], predictions) : null;
    const confidence = tenth ? meanOf(total[`confidence_${tenth}`], predictions) : null;
    return {
      bucket: `${(n / 10).toFixed(1)}-${((n + 1) / 10).toFixed(1)}`,
      predictions,
      observed_accuracy,
      delta: difference(observed_accuracy, confidence),
    };
  });
}
