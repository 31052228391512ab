// One slot of the forecaster: learns the readings, then forecasts from them, in each scenario too.
import {
  type CalendarStep,
  type Forecast,
  type Forecaster,
  learnOutcomes,
  observe,
  predict,
  predictScenarios,
  recordSamples,
  type Sample,
} from '../../domain/forecaster/index.ts';

/** The samples of one slot, and the slots to forecast from it. */
export interface SlotSamples {
  now: CalendarStep;
  targets: CalendarStep[];
  readings: Sample[];
  /** The readings of each scenario. Nothing is learned from them. */
  scenarioReadings: Sample[][];
}

/** The forecasts of one scenario: a number for each pocket and horizon, pocket by pocket. */
export interface ScenarioForecast {
  /** The most likely class. */
  classes: Uint8Array;
  calm: Float64Array;
}

export interface SlotForecasts {
  /** By pocket and horizon. */
  forecasts: Forecast[][];
  /** For each scenario. */
  scenarioForecasts: ScenarioForecast[];
}

/** Learns from a slot, and forecasts from it. */
export function learnAndForecast(
  forecaster: Forecaster,
  { now, targets, readings, scenarioReadings }: SlotSamples,
): SlotForecasts {
  if (!scenarioReadings.length) observe(forecaster, now, readings);
  else learnOutcomes(forecaster, now, readings);
  const scenarioForecasts = forecastScenarios(forecaster, now, targets, scenarioReadings);
  if (scenarioReadings.length) recordSamples(forecaster, now, readings);
  return { forecasts: predict(forecaster, now, targets), scenarioForecasts };
}

function forecastScenarios(
  forecaster: Forecaster,
  now: CalendarStep,
  targets: readonly CalendarStep[],
  scenarios: readonly (readonly Sample[])[],
): ScenarioForecast[] {
  const made = scenarios.map((readings) => {
    const size = readings.length * targets.length;
    return { classes: new Uint8Array(size), calm: new Float64Array(size) };
  });
  if (!made.length) return made;
  predictScenarios(forecaster, now, targets, scenarios, (s, p, forecasts) => {
    for (const [h, { classes, calm, confidence }] of forecasts.entries()) {
      const own = made[s] as ScenarioForecast;
      own.classes[p * targets.length + h] = classes.indexOf(confidence);
      own.calm[p * targets.length + h] = calm;
    }
  });
  return made;
}
