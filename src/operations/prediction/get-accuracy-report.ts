import Type from 'typebox';
import { accuracyReport, appliedFilter } from '../../domain/prediction/accuracy-report.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { predictionTypes } from '../../domain/prediction/prediction.ts';
import { accuracySums } from '../../domain/stats/forecast-sums.ts';
import { printable } from '../../domain/text/printable.ts';
import { spanOf, windowOf } from '../../domain/time/window.ts';
import { sumsOf } from '../../store/rollup/read-rollups.ts';
import { forecastRollup } from '../../store/rollup/tables.ts';
import { count, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, since, sinceNames } from '../core/fields.ts';

const predictionType = Type.Enum([...predictionTypes]);
const difference = (description: string) => nullable(Type.Number({ minimum: -1, maximum: 1, description }));
const scored = { accuracy: nullable(unit), count };

/** The filter that decides which forecasts count. */
export const declaredFilter = {
  min_confidence: unit,
  min_completeness: unit,
  include_shadow: Type.Boolean({ description: 'whether forecasts on trial count' }),
};

export const getAccuracyReport = defineOperation({
  name: 'get_accuracy_report',
  title: 'How often forecasts came true',
  description:
    'Reports how accurate the sealed forecasts were, beside a naive baseline sealed with each. Use it to decide how far to rely on them; for single forecasts use get_pocket_predictions. Returns the filter applied (confidence >= 0.68, completeness >= 0.75, no shadow rows), headline, baseline, by_type, by_pocket, calibration and error_taxonomy.',
  input: {
    since: since('30d'),
    pocket_id: Type.Optional(pocketId),
    prediction_type: Type.Optional(
      Type.Enum([...predictionTypes], {
        description: 'what is forecast; other: the state 60, 120 and 180 minutes ahead',
      }),
    ),
    include_shadow: Type.Boolean({ default: false, description: 'count forecasts that are on trial too' }),
  },
  output: Type.Object({
    window: Type.Enum([...sinceNames]),
    pocket_id: nullable(Type.String()),
    filter: Type.Object({ ...declaredFilter, prediction_type: nullable(predictionType) }),
    headline: Type.Object({
      overall_accuracy: nullable(unit),
      revealed_count: Type.Integer({ minimum: 0, description: 'forecasts that were scored' }),
      inconclusive_count: count,
    }),
    baseline: Type.Object({
      baseline_accuracy: nullable(unit),
      gap_vs_service: difference('accuracy of the baseline less that of the service'),
    }),
    by_type: Type.Array(Type.Object({ prediction_type: predictionType, ...scored })),
    by_pocket: Type.Array(Type.Object({ pocket_id: Type.String(), ...scored })),
    calibration: Type.Array(
      Type.Object({
        bucket: Type.String({ description: 'range of confidence, such as 0.7-0.8' }),
        predictions: count,
        observed_accuracy: nullable(unit),
        delta: difference('observed accuracy less mean confidence'),
      }),
    ),
    error_taxonomy: Type.Array(Type.Object({ type: Type.Enum([...errorTypes]), count })),
    weighted_by_mqs: Type.Object({ accuracy: nullable(unit) }),
  }),
  effect: 'read',
  load: ({ since, pocket_id }, { store, now }) =>
    sumsOf(store, forecastRollup, spanOf(windowOf(since, now)), {
      by: ['pocket_id', 'prediction_type', 'shadow'],
      sums: accuracySums,
      only: { pocket_id },
    }),
  shape: (rows, { since, pocket_id, prediction_type, include_shadow }) => {
    const filter = { prediction_type, include_shadow };
    return {
      window: since,
      pocket_id: pocket_id ?? null,
      filter: { ...appliedFilter(filter), prediction_type: prediction_type ?? null },
      ...accuracyReport(rows, filter),
    };
  },
  speak: ({ headline, baseline, filter, window, ...report }, { pocket_id }) => {
    const { overall_accuracy, revealed_count, inconclusive_count } = headline;
    const about = [
      `${pocket_id === undefined ? 'all pockets' : printable(pocket_id)}, forecasts sealed ${window === 'all' ? 'at any time' : `over the last ${window}`}`,
      ...(filter.prediction_type ? [`of type ${filter.prediction_type}`] : []),
      `with confidence from ${filter.min_confidence} and completeness from ${filter.min_completeness}, those on trial ${filter.include_shadow ? 'included' : 'left out'}:`,
    ].join(' ');
    if (overall_accuracy === null)
      return `${about} none has been scored yet, ${inconclusive_count} inconclusive.`;
    const types = report.by_type.map(
      ({ prediction_type, accuracy, count }) => `${prediction_type} ${accuracy ?? 'unscored'} of ${count}`,
    );
    const causes = report.error_taxonomy.filter(({ count }) => count > 0);
    const calibration = report.calibration.filter(({ predictions }) => predictions > 0);
    return [
      about,
      `${overall_accuracy} of ${revealed_count} came true, ${inconclusive_count} inconclusive;`,
      `the naive baseline reached ${baseline.baseline_accuracy} (gap ${baseline.gap_vs_service}).`,
      `weighted by the moment's quality: ${report.weighted_by_mqs.accuracy ?? 'nothing to weigh'}.`,
      `by type: ${types.join(', ')}.`,
      `by pocket: ${report.by_pocket.map(({ pocket_id, accuracy }) => `${pocket_id} ${accuracy ?? 'unscored'}`).join(', ')}.`,
      `observed by confidence: ${calibration.map(({ bucket, observed_accuracy }) => `${bucket} ${observed_accuracy}`).join(', ')}.`,
      causes.length
        ? `misses: ${causes.map(({ type, count }) => `${count} ${type}`).join(', ')}.`
        : 'no misses.',
    ].join(' ');
  },
  rest: { path: '/api/accuracy' },
});
