import {
  BAR,
  BELOW_BAR,
  type ForecastSum,
  type MissSum,
  meanOf,
  shareOf,
  totalOf,
} from '../stats/forecast-sums.ts';
import { round } from '../stats/unit-scale.ts';
import { type ErrorType, errorTypes } from './error-taxonomy.ts';
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

/**
 * The accuracy of the forecasts that meet the bar: overall, by type, by pocket, by confidence and weighted by MQS
 * (docs/formulas.md, "Accuracy report"). The field names are served.
 */
export function accuracyReport(
  sums: readonly ForecastSum[],
  misses: readonly MissSum[],
  filter: ReportFilter,
) {
  const wanted = (row: Pick<ForecastSum, 'prediction_type' | 'shadow'>) =>
    (filter.include_shadow || row.shadow === 0) &&
    (filter.prediction_type === undefined || row.prediction_type === filter.prediction_type);
  const counted = sums.filter((sum) => sum.bucket !== BELOW_BAR && wanted(sum));
  const missed = misses.filter((miss) => miss.eligible === 1 && wanted(miss));
  const { revealed, scored, hits, baseline_hits, mqs, mqs_hits } = totalOf(counted);
  const overall_accuracy = shareOf(hits, scored);
  const baseline_accuracy = shareOf(baseline_hits, scored);
  return {
    headline: { overall_accuracy, revealed_count: scored, inconclusive_count: revealed - scored },
    baseline: { baseline_accuracy, gap_vs_service: difference(baseline_accuracy, overall_accuracy) },
    by_type: grouped(counted, ({ prediction_type }) => prediction_type, predictionTypes).map(
      ([prediction_type, found]) => ({ prediction_type, ...found }),
    ),
    by_pocket: grouped(counted, ({ pocket_id }) => pocket_id).map(([pocket_id, found]) => ({
      pocket_id,
      ...found,
    })),
    calibration: calibrationOf(counted),
    error_taxonomy: errorTypes.map((type) => ({ type, count: missesOf(missed, type) })),
    weighted_by_mqs: { accuracy: shareOf(mqs_hits, mqs) },
  };
}

const difference = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : round(a - b);

const missesOf = (misses: readonly MissSum[], type: ErrorType): number =>
  misses.reduce((count, miss) => count + (miss.error_type === type ? miss.misses : 0), 0);

/** Accuracy by key: in the given order, else by name; keys without forecasts are left out. */
function grouped<Key extends string>(
  sums: readonly ForecastSum[],
  keyOf: (sum: ForecastSum) => Key,
  order: readonly Key[] = [...new Set(sums.map(keyOf))].sort(),
): [key: Key, found: { accuracy: number | null; count: number }][] {
  const groups = Map.groupBy(sums, keyOf);
  return order.flatMap((key) => {
    const group = groups.get(key);
    if (!group) return [];
    const { hits, scored } = totalOf(group);
    return [[key, { accuracy: shareOf(hits, scored), count: scored }]];
  });
}

/** For each tenth of confidence: the share that came true, and that share less the mean confidence. */
function calibrationOf(sums: readonly ForecastSum[]) {
  return Array.from({ length: 10 }, (_, tenth) => {
    const { scored, hits, confidence } = totalOf(sums.filter(({ bucket }) => bucket === tenth));
    const observed_accuracy = shareOf(hits, scored);
    return {
      bucket: `${(tenth / 10).toFixed(1)}-${((tenth + 1) / 10).toFixed(1)}`,
      predictions: scored,
      observed_accuracy,
      delta: difference(observed_accuracy, meanOf(confidence, scored)),
    };
  });
}
