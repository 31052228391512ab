import {
  type CalendarStep,
  type Forecast,
  type Forecaster,
  learnOutcomes,
  observe,
  predict,
  predictScenario,
  recordSamples,
  type Sample,
} from '../../../domain/forecaster/index.ts';

/** One slot for the forecaster to learn, and the slots to forecast from it. */
export interface Step {
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

export interface Expectations {
  /** By pocket and horizon. */
  forecasts: Forecast[][];
  /** For each scenario. */
  scenarioForecasts: ScenarioForecast[];
}

/** Learns from a slot, and forecasts from it. */
export function learnAndForecast(
  forecaster: Forecaster,
  { now, targets, readings, scenarioReadings }: Step,
): Expectations {
  if (!scenarioReadings.length) observe(forecaster, now, readings);
  else learnOutcomes(forecaster, now, readings);
  const scenarioForecasts = scenarioReadings.map((other) =>
    scenarioForecast(forecaster, now, targets, other),
  );
  if (scenarioReadings.length) recordSamples(forecaster, now, readings);
  return { forecasts: predict(forecaster, now, targets), scenarioForecasts };
}

function scenarioForecast(
  forecaster: Forecaster,
  now: CalendarStep,
  targets: readonly CalendarStep[],
  readings: readonly Sample[],
): ScenarioForecast {
  const size = readings.length * targets.length;
  const forecast = { classes: new Uint8Array(size), calm: new Float64Array(size) };
  predictScenario(forecaster, now, targets, readings, (p, forecasts) => {
    for (const [h, { classes, calm, confidence }] of forecasts.entries()) {
      forecast.classes[p * targets.length + h] = classes.indexOf(confidence);
      forecast.calm[p * targets.length + h] = calm;
    }
  });
  return forecast;
}
