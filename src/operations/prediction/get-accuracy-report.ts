import Type from 'typebox';
import { LIKELY_CALM } from '../../domain/atmosphere/calm-band.ts';
import {
  accuracyReport,
  appliedFilter,
  LEAST_FOR_SKILL,
  LEAST_SKILL,
} from '../../domain/prediction/accuracy-report.ts';
import { calmReliability } from '../../domain/prediction/calm-reliability.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { predictionTypes } from '../../domain/prediction/generators/all.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { iso } from '../../domain/time/slot.ts';
import { WAKING } from '../../domain/time/waking-hours.ts';
import { namedWindow, slotSpan } from '../../domain/time/window.ts';
import { windowKinds } from '../../domain/window/open-windows.ts';
import { windowCounts } from '../../store/decision/window-outcomes.ts';
import { forecastAccuracy } from '../../store/rollup/forecast-accuracy.ts';
import { backfilledHistory } from '../../store/runtime/history.ts';
import { count, countField, nullable, timestamp, unit, unitField } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, since, sinceNames } from '../core/fields.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';
import {
  accuracySplit,
  baselineFields,
  comparedAccuracy,
  declaredFilter,
  difference,
  partsOfDay,
  unfilteredAccuracy,
} from './accuracy-fields.ts';
import { speakAccuracy } from './speak-accuracy.ts';

const predictionType = Type.Enum([...predictionTypes]);

/** Figures of a group. */
const scored = {
  accuracy: nullable(unit),
  count: countField('forecasts that pass the filter and were scored'),
  baseline_accuracy: nullable(unit),
  gap_vs_naive: difference('accuracy less that of the naive baseline'),
  all: Type.Object(
    {
      accuracy: nullable(unit),
      baseline: nullable(unit),
      n: count,
      persistence: nullable(
        unitField('what was observed at sealing, taken to last; null where that is not known'),
      ),
      same_hour_last_week: nullable(
        unitField('what was observed seven days before; null where that is not known'),
      ),
      ...partsOfDay({ n: count, accuracy: nullable(unit) }),
    },
    { description: 'the same without the filter' },
  ),
};

const reliability = {
  n: countField('forecasts that stated such a calm probability'),
  stated: nullable(unitField('mean of what they stated')),
  was_calm: nullable(unitField('share of them after which the pocket was calm')),
};

const calmReliabilityField = Type.Array(
  Type.Object({
    horizon_minutes: Type.Enum([...HORIZONS]),
    tenths: Type.Array(
      Type.Object({
        from: Type.Number({ description: 'lower end of a tenth of the calm probability' }),
        ...reliability,
        waking_hours: Type.Object(reliability, {
          description: 'of the forecasts for a time from 07:00 to 23:00',
        }),
      }),
      {
        description: `by tenth of the calm probability, the lowest first: all ten over REST, those from ${LIKELY_CALM} on in the answer of the tool`,
      },
    ),
  }),
  {
    description:
      'whether the calm probability can be relied on, of all pockets together: empty where one pocket or another kind of forecast was asked for',
  },
);

const calmWindowsField = Type.Array(
  Type.Object({
    kind: Type.Enum([...windowKinds], {
      description:
        'now: that began at once; later: that began within the sealed forecasts; usual: from what is usual at their hours, not a forecast',
    }),
    shown: countField('calm windows that were shown in waking hours'),
    held: countField('those without two successive readings outside a calm state'),
    held_share: unitField('held ÷ shown'),
  }),
  {
    description:
      'how many calm windows of the last days held to the end that was named, by kind; a kind of which none was shown is left out',
  },
);

export const getAccuracyReport = defineOperation({
  name: 'get_accuracy_report',
  title: 'How often forecasts came true',
  description:
    'Reports how often sealed forecasts came true, against simple forecasts of the same outcomes. Use it to decide how far to rely on them. Not for single forecasts (get_pocket_predictions) or other forecasters (get_benchmark_leaderboard). Returns state_forecasts and all_forecasts; then, under the declared filter, headline, baseline, sealed_before_outcome, written_afterwards, waking_hours, nights, by_type, by_horizon, by_pocket; baselines, calm_reliability, calm_windows, calibration, error_taxonomy.',
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
    waking: Type.Object(
      {
        from: Type.Integer({ description: 'the first waking hour' }),
        to: Type.Integer({ description: 'the hour that ends them' }),
        zone: Type.String({ description: 'of the IANA database' }),
      },
      {
        description: 'which times count as waking hours, by the local clock: the others are nights',
      },
    ),
    history_until: nullable(timestamp),
    headline: Type.Object({
      overall_accuracy: nullable(unit),
      revealed_count: countField('forecasts that were scored'),
      inconclusive_count: count,
    }),
    ...partsOfDay(comparedAccuracy),
    ...accuracySplit,
    baseline: Type.Object({
      baseline_accuracy: nullable(unit),
      gap_vs_service: difference('accuracy of the baseline less that of the service'),
    }),
    ...unfilteredAccuracy,
    baselines: Type.Array(Type.Object({ definition: Type.String(), ...baselineFields })),
    calm_reliability: calmReliabilityField,
    calm_windows: calmWindowsField,
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
  // It reads sums of half hours, over all pockets and generators.
  rows: (asked, registry) => 1_000 + rowsOfAll(asked, registry),
  load: async ({ since, pocket_id, prediction_type, include_shadow }, { store, now, zone }) => {
    const window = namedWindow(since, now);
    const [accuracy, windows, history] = await Promise.all([
      forecastAccuracy(store, slotSpan(window), { pocket_id, prediction_type, include_shadow }),
      windowCounts(store, zone.localDate(window.after), pocket_id),
      backfilledHistory(store),
    ]);
    return { ...accuracy, windows, history };
  },
  shape: (
    { rows, pockets, calm, windows, history },
    { since, pocket_id, prediction_type, include_shadow },
    zone,
  ) => ({
    window: since,
    pocket_id: pocket_id ?? null,
    filter: { ...appliedFilter(include_shadow), prediction_type: prediction_type ?? null },
    waking: { ...WAKING, zone: zone.name },
    history_until: history && iso(history.until_slot),
    ...accuracyReport(rows, pockets),
    calm_reliability: calmReliability(calm),
    calm_windows: windows
      .filter(({ shown }) => shown > 0)
      .map(({ kind, shown, held }) => ({ kind, shown, held, held_share: round(held / shown) })),
  }),
  // Thirty rows of tenths are a quarter of the answer: a model needs those that are called likely calm.
  brief: (report) => ({
    ...report,
    calm_reliability: report.calm_reliability.map(({ horizon_minutes, tenths }) => ({
      horizon_minutes,
      tenths: tenths.filter(({ from }) => from >= LIKELY_CALM),
    })),
  }),
  speak: (report, _input, zone) => speakAccuracy(report, zone),
  rest: { path: '/api/accuracy' },
});
