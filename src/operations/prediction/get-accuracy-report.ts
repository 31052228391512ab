import Type from 'typebox';
import {
  accuracyReport,
  appliedFilter,
  LEAST_FOR_SKILL,
  LEAST_SKILL,
} from '../../domain/prediction/accuracy-report.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { HORIZONS, predictionTypes } from '../../domain/prediction/prediction.ts';
import { spanOf, windowOf } from '../../domain/time/window.ts';
import { forecastAccuracy } from '../../store/rollup/forecast-accuracy.ts';
import { count, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, since, sinceNames } from '../core/fields.ts';
import { accuracySplit, declaredFilter, difference, unfilteredAccuracy } from './accuracy-fields.ts';
import { speakAccuracy } from './speak-accuracy.ts';

const predictionType = Type.Enum([...predictionTypes]);

/** Figures of a group. */
const scored = {
  accuracy: nullable(unit),
  count: Type.Integer({ minimum: 0, description: 'forecasts that pass the filter and were scored' }),
  baseline_accuracy: nullable(unit),
  gap_vs_naive: difference('accuracy less that of the naive baseline'),
  all: Type.Object(
    {
      accuracy: nullable(unit),
      baseline: nullable(unit),
      n: count,
      persistence: nullable(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'what was observed at sealing, taken to last; null where that is not known',
        }),
      ),
    },
    { description: 'the same without the filter' },
  ),
};

const baseline = Type.Object({
  name: Type.Enum(['naive', 'persistence', 'same_hour_last_week']),
  definition: Type.String(),
  accuracy: nullable(unit),
  n: Type.Integer({ minimum: 0, description: 'scored state forecasts for which it gives a forecast too' }),
  gap_vs_service: difference('its accuracy less that of the service on the same forecasts'),
  service_accuracy_on_same_rows: nullable(unit),
});

export const getAccuracyReport = defineOperation({
  name: 'get_accuracy_report',
  title: 'How often forecasts came true',
  description:
    'Reports how often sealed forecasts came true, beside a naive baseline sealed with each. Use it to decide how far to rely on them. Not for single forecasts (get_pocket_predictions) or other forecasters (get_benchmark_leaderboard). Returns state_forecasts and all_forecasts; then, under the declared filter, headline, baseline, sealed_before_outcome, written_afterwards, by_type, by_horizon, by_pocket; baselines, calibration, error_taxonomy.',
  toolsets: ['record', 'benchmark'],
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
    ...accuracySplit,
    baseline: Type.Object({
      baseline_accuracy: nullable(unit),
      gap_vs_service: difference('accuracy of the baseline less that of the service'),
    }),
    ...unfilteredAccuracy,
    baselines: Type.Array(baseline),
    by_type: Type.Array(
      Type.Object({
        prediction_type: predictionType,
        ...scored,
        skill: nullable(
          Type.Enum(['some', 'none'], {
            description: `some: of all scored, the accuracy is at least ${LEAST_SKILL} above the naive baseline and persistence; null under ${LEAST_FOR_SKILL}`,
          }),
        ),
      }),
    ),
    by_horizon: Type.Array(Type.Object({ horizon_minutes: Type.Enum([...HORIZONS]), ...scored })),
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
  // It reads sums of half hours, over all pockets and generators.
  rows: () => 1_000,
  load: ({ since, pocket_id, prediction_type, include_shadow }, { store, now }) =>
    forecastAccuracy(store, spanOf(windowOf(since, now)), { pocket_id, prediction_type, include_shadow }),
  shape: ({ rows, pockets }, { since, pocket_id, prediction_type, include_shadow }) => ({
    window: since,
    pocket_id: pocket_id ?? null,
    filter: { ...appliedFilter(include_shadow), prediction_type: prediction_type ?? null },
    ...accuracyReport(rows, pockets),
  }),
  speak: (report) => speakAccuracy(report),
  rest: { path: '/api/accuracy' },
});
