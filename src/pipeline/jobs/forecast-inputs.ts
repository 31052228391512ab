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
} from '../../domain/forecaster/index.ts';

/** One slot for the forecaster to learn, and the slots to forecast from it. */
export interface Step {
  now: CalendarStep;
  targets: CalendarStep[];
  readings: Sample[];
  /** What could have been read instead. Nothing is learned from it. */
  instead: Sample[][];
}

/** What would be forecast of each place at each horizon: a number each, place by place. */
export interface Supposed {
  /** The likeliest class. */
  classes: Uint8Array;
  calm: Float64Array;
}

export interface Expectations {
  /** By place and horizon. */
  forecasts: Forecast[][];
  /** For each of the readings that could have come instead. */
  supposed: Supposed[];
}

/** Learns a slot, and forecasts from it. */
export function stepOn(forecaster: Forecaster, { now, targets, readings, instead }: Step): Expectations {
  if (!instead.length) observe(forecaster, now, readings);
  else learnOutcomes(forecaster, now, readings);
  const supposed = instead.map((other) => supposedOf(forecaster, now, targets, other));
  if (instead.length) recordSamples(forecaster, now, readings);
  return { forecasts: predict(forecaster, now, targets), supposed };
}

function supposedOf(
  forecaster: Forecaster,
  now: CalendarStep,
  targets: readonly CalendarStep[],
  readings: readonly Sample[],
): Supposed {
  const size = readings.length * targets.length;
  const supposed = { classes: new Uint8Array(size), calm: new Float64Array(size) };
  predictScenario(forecaster, now, targets, readings, (p, forecasts) => {
    for (const [h, { classes, calm, confidence }] of forecasts.entries()) {
      supposed.classes[p * targets.length + h] = classes.indexOf(confidence);
      supposed.calm[p * targets.length + h] = calm;
    }
  });
  return supposed;
}
