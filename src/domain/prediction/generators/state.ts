// The state of a pocket at each horizon, from the forecaster (docs/formulas.md, "Projection and its score").
import { round } from '../../stats/unit-scale.ts';
import { SLOT } from '../../time/slot.ts';
import { classifyMiss } from '../error-taxonomy.ts';
import { HIT } from '../forecast-sums.ts';
import type { Generator, StateReading } from '../generator.ts';
import { naiveBaseline } from '../naive-baseline.ts';
import { type ProjectionPayload, projectionGenerator, STATE_TYPE } from '../prediction.ts';
import { projectionScore, toProjection } from '../projection.ts';

export const stateGenerator = (horizon: number): Generator<ProjectionPayload> => ({
  name: projectionGenerator(horizon),
  kind: 'state',
  type: STATE_TYPE,
  horizon,
  shadow: false,
  every: SLOT,
  forecast: ({ expected, due, primary_state, calm, rain_mm }) =>
    expected
      ? {
          prediction_type: STATE_TYPE,
          confidence: round(expected.confidence),
          forecast: toProjection(expected),
          baseline: naiveBaseline(due.hour, due.rest, (rain_mm ?? 0) > 0),
          known: { primary_state, calm, rain_mm },
        }
      : null,
  reveal: ({ forecast, baseline, known, completeness }, observed) => {
    const { actual } = observed;
    if (!actual) return null;
    const accuracy_score = projectionScore(forecast, actual);
    return {
      actual_observation: { primary_state: actual.primary_state, calm: actual.calm },
      accuracy_score,
      baseline_score: projectionScore(baseline, actual),
      persistence_score: scoreOfReading(known, actual),
      last_week_score: scoreOfReading(observed.lastWeek, actual),
      error_type:
        accuracy_score < HIT
          ? classifyMiss({
              ...observed,
              expected_state: forecast.expected_state,
              expected_calm: forecast.expected_calm,
              completeness,
              rain_then: known.rain_mm,
              rain_now: actual.rain_mm,
              calm_now: actual.calm,
              state_before: observed.before?.primary_state ?? null,
            })
          : null,
    };
  },
});

/** The score that a reading has as a forecast of another; null without the reading (docs/formulas.md, "Simple rules"). */
export const scoreOfReading = (then: StateReading | null, actual: StateReading): number | null =>
  then && projectionScore({ expected_state: then.primary_state, expected_calm: then.calm }, actual);
