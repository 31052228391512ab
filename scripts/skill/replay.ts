import {
  type Forecast,
  newForecaster,
  observe,
  predict,
  type Sample,
} from '../../src/domain/forecaster/index.ts';
import { CsvError } from '../../src/sources/core/rows/table.ts';
import {
  CALM_CLASSES,
  CLASSES,
  classIndex,
  type Evaluation,
  HORIZON_HOURS,
  isCalm,
  localCalendarStep,
} from './protocol.ts';
import {
  type MethodForecast,
  type ReferenceName,
  type References,
  referenceNames,
  referencesFor,
} from './references.ts';
import { addForecast, newScoreSums, type Score, type ScoreSums, scoreFromSums } from './score.ts';

export const methods = ['forecaster', ...referenceNames] as const;
export type Method = (typeof methods)[number];
export const windows = ['all hours', '07-22 h'] as const;
export type ScoreWindow = (typeof windows)[number];

export interface Result {
  horizon_hours: number;
  window: ScoreWindow;
  scores: Record<Method, Score>;
}

/** The forecasts of one slot and horizon, by place, until their outcome is known. */
interface PendingForecasts {
  forecasts: Forecast[];
  references: (Record<ReferenceName, MethodForecast> | null)[];
}

const toMethodForecast = ({ classes, calm, confidence }: Forecast): MethodForecast => ({
  class: classes.indexOf(Math.max(...classes)),
  calm,
  confidence,
});

/**
 * Replays a file slot by slot (walk-forward): each slot first scores the forecasts made for it, then is learned from,
 * then forecast from. Nothing made at a slot uses a later one.
 */
export function replay(evaluation: Evaluation): Result[] {
  const { series, split, stepsPerHour, places, edges, scales } = evaluation;
  const horizons = HORIZON_HOURS.map((hours) => hours * stepsPerHour);
  const forecaster = newForecaster({
    stepMinutes: series.stepMinutes,
    horizons,
    classes: CLASSES,
    calmClasses: CALM_CLASSES,
    exogenous: series.exogenous.length,
    scales,
  });
  const references = horizons.map((steps) => referencesFor(evaluation, steps));
  const pending = horizons.map(() => new Map<number, PendingForecasts>());
  const sums = horizons.map(() => windows.map(() => methods.map(newScoreSums)));

  for (let slot = 0; slot < series.slots; slot++) {
    const samples = samplesAt(evaluation, slot);
    for (const [h, steps] of horizons.entries()) {
      const due = pending[h]?.get(slot - steps);
      const methodsOfHorizon = references[h] as References;
      const daytime = isDaytime(evaluation, slot, slot - steps);
      for (const [p, sample] of samples.entries()) {
        if (sample.value === null || slot < steps) continue;
        const placeEdges = edges[p] as number[];
        const outcome = classIndex(placeEdges, sample.value);
        const ofReferences = due?.references[p];
        const forecast = due?.forecasts[p];
        if (ofReferences && forecast)
          for (const [m, method] of methods.entries()) {
            const methodForecast =
              method === 'forecaster' ? toMethodForecast(forecast) : ofReferences[method];
            for (let w = 0; w < windows.length; w++)
              if (w === 0 || daytime)
                addForecast(
                  sums[h]?.[w]?.[m] as ScoreSums,
                  methodForecast,
                  outcome,
                  isCalm(placeEdges, sample.value),
                );
          }
        methodsOfHorizon.recordOutcome(p, slot - steps, outcome);
      }
      pending[h]?.delete(slot - steps);
    }
    const now = localCalendarStep(series, slot);
    observe(forecaster, now, samples);
    const targets = horizons.map((steps) => localCalendarStep(series, slot + steps, slot));
    const forecasts = predict(forecaster, now, targets);
    if (slot < split) continue;
    for (const [h] of horizons.entries())
      pending[h]?.set(slot, {
        forecasts: forecasts.map((ofPlace) => ofPlace[h] as Forecast),
        references: places.map((_, p) => (references[h] as References).forecast(p, slot)),
      });
  }
  return HORIZON_HOURS.flatMap((horizon_hours, h) =>
    windows.flatMap((window, w) => {
      const scores = methods.map((name, m) => [name, scoreFromSums(sums[h]?.[w]?.[m] as ScoreSums)] as const);
      if (scores.some(([, score]) => score === null)) {
        if (w > 0) return [];
        throw new CsvError(
          'too short: no row of the last 30 % has both an outcome and a value a week before it',
        );
      }
      return [{ horizon_hours, window, scores: Object.fromEntries(scores) as Record<Method, Score> }];
    }),
  );
}

const orNull = (x: number): number | null => (Number.isNaN(x) ? null : x);

function samplesAt({ series, places, edges }: Evaluation, slot: number): Sample[] {
  return places.map((number, p) => {
    const at = number * series.slots + slot;
    const value = orNull(series.values[at] as number);
    const placeEdges = edges[p] as number[];
    return {
      value,
      class: value === null ? null : classIndex(placeEdges, value),
      calm: value === null ? null : isCalm(placeEdges, value),
      exogenous: series.exogenous.map((column) => orNull(column[at] as number)),
    };
  });
}

/** Whether the target lies in 07:00 to 22:00. Nights are easy to forecast and raise every score. */
function isDaytime({ series, stepsPerHour }: Evaluation, slot: number, known: number): boolean {
  if (known < 0) return false;
  const hour = Math.floor(localCalendarStep(series, slot, known).stepOfWeek / stepsPerHour) % 24;
  return hour >= 7 && hour < 22;
}
