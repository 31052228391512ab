// Schemas of figures on accuracy that several answers share.
import Type, { type TProperties } from 'typebox';
import { count, countField, nullable, unit, unitField } from '../core/answer-fields.ts';

/** The filter that decides which forecasts count. */
export const declaredFilter = {
  min_confidence: unit,
  min_completeness: unit,
  include_shadow: Type.Boolean({ description: 'whether forecasts on trial count' }),
};

/** A figure apart for what was sealed before its outcome and for what was written afterwards. */
export const originSplit = <Figure extends TProperties>(figure: Figure) => ({
  sealed_before_outcome: Type.Object(figure, {
    description: 'of those written as their time came, before the outcome was known',
  }),
  written_afterwards: Type.Object(figure, {
    description: 'of those written afterwards, on a virtual clock: simulated history, or a replay',
  }),
});

/** The split of an accuracy. */
export const accuracySplit = originSplit({ n: count, accuracy: nullable(unit) });

/** An accuracy beside that of the naive baseline on the same forecasts. */
export const comparedAccuracy = {
  accuracy: nullable(unit),
  baseline: nullable(unitField('of the naive baseline')),
  n: countField('forecasts that were scored'),
};

export const brierScore = nullable(
  unitField('mean squared difference between confidence and hit (1 or 0); lower is better'),
);

/** A figure apart for forecasts for waking hours and for those for nights. */
export const partsOfDay = <Figure extends TProperties>(figure: Figure) => ({
  waking_hours: Type.Object(figure, { description: 'of the forecasts for a time from 07:00 to 23:00' }),
  nights: Type.Object(figure, { description: 'of the forecasts for a time from 23:00 to 07:00' }),
});

const unfilteredSchema = (description: string) =>
  Type.Object(
    { ...comparedAccuracy, brier_score: brierScore, ...partsOfDay(comparedAccuracy), ...accuracySplit },
    { description },
  );

/** The figures that stand beside every accuracy that has a filter. */
export const unfilteredAccuracy = {
  all_forecasts: unfilteredSchema('every kind of forecast, whatever its confidence and completeness'),
  state_forecasts: unfilteredSchema(
    'the states 60, 120 and 180 minutes ahead, whatever their confidence and completeness',
  ),
};

export const difference = (description: string) =>
  nullable(Type.Number({ minimum: -1, maximum: 1, description }));

const comparedBaseline = {
  accuracy: nullable(unit),
  n: countField('scored state forecasts for which it gives a forecast too'),
  gap_vs_service: difference('its accuracy less that of the service on the same forecasts'),
  service_accuracy_on_same_rows: nullable(unit),
};

/** A simple forecast beside the service. */
export const baselineFields = {
  name: Type.Enum(['same_hour_last_week', 'persistence', 'naive']),
  ...comparedBaseline,
  ...partsOfDay(comparedBaseline),
};

export const baselines = Type.Array(Type.Object(baselineFields), {
  description: 'simple forecasts compared with the service on the same state forecasts, the strongest first',
});
