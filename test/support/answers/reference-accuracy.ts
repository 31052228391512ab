// The accuracy report computed independently, row by row, from its definition.
import { errorTypes } from '../../../src/domain/prediction/error-taxonomy.ts';
import { predictionTypes } from '../../../src/domain/prediction/prediction.ts';
import { round } from '../../../src/domain/stats/unit-scale.ts';
import type { Window } from '../../../src/domain/time/window.ts';
import type { Reader } from '../../../src/store/engine/store.ts';
import type { RevealRow } from '../../../src/store/prediction/predictions.ts';

/** A revealed forecast, with the MQS of the moment in which it was sealed. */
type RevealedForecast = RevealRow & { mqs: number | null };

export const revealedForecasts = (store: Reader): Promise<RevealedForecast[]> =>
  store.all<RevealedForecast>(
    `select r.*, m.mqs from reveals r
     left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id`,
  );

interface Filter {
  prediction_type: string | undefined;
  include_shadow: boolean;
}

export function referenceReport(
  all: readonly RevealedForecast[],
  { after, until }: Window,
  pocket: string | undefined,
  filter: Filter,
) {
  const rows = all.filter(
    (row) =>
      row.slot > after &&
      row.slot <= until &&
      row.confidence >= 0.68 &&
      row.completeness >= 0.75 &&
      (pocket === undefined || row.pocket_id === pocket) &&
      (filter.include_shadow || row.shadow === 0) &&
      (filter.prediction_type === undefined || row.prediction_type === filter.prediction_type),
  );
  const scored = (some: readonly RevealedForecast[]) => some.filter((row) => row.accuracy_score !== null);
  const isHit = (row: RevealedForecast) => (row.accuracy_score ?? 0) >= 0.5;
  // In whole ten-thousandths: the floating-point error of a sum of fractions would decide how a half is rounded.
  const sum = (some: readonly RevealedForecast[], of: (row: RevealedForecast) => number) =>
    some.reduce((total, row) => total + Math.round(of(row) * 10_000), 0) / 10_000;
  const mean = (some: readonly RevealedForecast[], of: (row: RevealedForecast) => number) =>
    some.length ? round(sum(some, of) / some.length) : null;
  const hitRate = (some: readonly RevealedForecast[]) => mean(some, (row) => Number(isHit(row)));
  const found = (some: readonly RevealedForecast[]) => ({
    accuracy: hitRate(scored(some)),
    count: scored(some).length,
  });
  const judged = scored(rows);
  const overall_accuracy = hitRate(judged);
  const baseline_accuracy = mean(judged, (row) => Number((row.baseline_score ?? 0) >= 0.5));
  const weight = sum(judged, (row) => row.mqs ?? 0);
  const gap = (a: number | null, b: number | null) => (a === null || b === null ? null : round(a - b));
  return {
    headline: {
      overall_accuracy,
      revealed_count: judged.length,
      inconclusive_count: rows.length - judged.length,
    },
    baseline: { baseline_accuracy, gap_vs_service: gap(baseline_accuracy, overall_accuracy) },
    by_type: predictionTypes.flatMap((prediction_type) => {
      const some = rows.filter((row) => row.prediction_type === prediction_type);
      return some.length ? [{ prediction_type, ...found(some) }] : [];
    }),
    by_pocket: [...new Set(rows.map(({ pocket_id }) => pocket_id))].sort().map((pocket_id) => ({
      pocket_id,
      ...found(rows.filter((row) => row.pocket_id === pocket_id)),
    })),
    calibration: Array.from({ length: 10 }, (_, tenth) => {
      const some = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === tenth);
      return {
        bucket: `0.${tenth}-${tenth === 9 ? '1.0' : `0.${tenth + 1}`}`,
        predictions: some.length,
        observed_accuracy: hitRate(some),
        delta: gap(
          hitRate(some),
          mean(some, ({ confidence }) => confidence),
        ),
      };
    }),
    error_taxonomy: errorTypes.map((type) => ({
      type,
      count: rows.filter((row) => row.error_type === type).length,
    })),
    weighted_by_mqs: {
      accuracy: weight > 0 ? round(sum(judged, (row) => (isHit(row) ? (row.mqs ?? 0) : 0)) / weight) : null,
    },
  };
}
