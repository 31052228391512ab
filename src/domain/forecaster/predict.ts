import { type CalendarStep, effectiveStep, restDayFlag, stepOfDayKind } from './calendar-step.ts';
import type { Forecast, Sample } from './design.ts';
import { gather, resultIndex } from './feature-row.ts';
import { featureIndex, type MeanDeviation, writeFeatures } from './features.ts';
import type { ForecastContext } from './forecast-context.ts';
import { scaledLevel, valueAt } from './level-scale.ts';
import { calibrate } from './models/calibration.ts';
import { writeCalmExperts, writeCalmFeatures } from './models/calm-experts.ts';
import { forecastClasses, writeClassExperts } from './models/class-experts.ts';
import { tableRowIndex, writeClassShares } from './models/class-model.ts';
import { predictDeviation, typicalError } from './models/level-model.ts';
import { predictLogit, sigmoid } from './models/recursive-least-squares.ts';
import { deviationFrom, latestIndex, recordSample, roundRecorded } from './place.ts';
import { type Forecaster, loadPlace, type PlaceModels, type SharedModels, storePlace } from './state.ts';

/**
 * The forecasts of every place for every horizon, made at the slot last observed; `targets` are the slots forecast.
 * Each is stored as pending until its outcome is observed.
 */
export function predict(
  forecaster: Forecaster,
  now: CalendarStep,
  targets: readonly CalendarStep[],
): Forecast[][] {
  const { design, dimensions, shared } = forecaster;
  const { lastSlot, meanDeviations } = shared;
  if (now.slot !== lastSlot[0]) throw new RangeError(`slot ${now.slot} was not the last observed`);
  if (targets.length !== design.horizons.length)
    throw new RangeError('one target is needed for each horizon');
  const trustOf = trustIn(forecaster);
  const others = {
    now: meanDeviations[now.slot % meanDeviations.length] as number,
    hourAgo: meanDeviations[(now.slot + 1) % meanDeviations.length] as number,
  };
  return Array.from({ length: dimensions.places }, (_, p) => {
    loadPlace(forecaster, p);
    const forecasts = targets.map((target, h) => {
      const forecast = predictOne(forecaster, h, now, target, others, trustOf(p, h));
      storePending(forecaster, h, now.slot);
      return forecast;
    });
    storePlace(forecaster, p);
    return forecasts;
  });
}

/**
 * What the forecasts would be if other samples had been measured at `now`: a list for each scenario. To be called between
 * `learnOutcomes` and `recordSamples` of that slot; nothing is stored. `take` receives the forecasts of scenario `s` for
 * place `p`.
 */
export function predictScenarios(
  forecaster: Forecaster,
  now: CalendarStep,
  targets: readonly CalendarStep[],
  scenarios: readonly (readonly Sample[])[],
  take: (s: number, p: number, forecasts: Forecast[]) => void,
): void {
  const { dimensions, shared } = forecaster;
  const { meanDeviations } = shared;
  const trustOf = trustIn(forecaster);
  const hourAgo = meanDeviations[(now.slot + 1) % meanDeviations.length] as number;
  const others = scenarioDeviations(forecaster, now, scenarios).map((mean) => ({ now: mean, hourAgo }));
  const stepOfWeek = effectiveStep(now, dimensions.day);
  for (let p = 0; p < dimensions.places; p++)
    for (const [s, samples] of scenarios.entries()) {
      // Without what the scenario before has recorded.
      const place = loadPlace(forecaster, p);
      recordSample(place, dimensions, now.slot, stepOfWeek, now.holiday, samples[p] as Sample);
      // Rounded as if it had been stored and loaded, so that a scenario equal to the measurement gives its forecast.
      roundRecorded(place);
      const own = others[s] as MeanDeviation;
      take(
        s,
        p,
        targets.map((target, h) => predictOne(forecaster, h, now, target, own, trustOf(p, h))),
      );
    }
}

/** For each scenario the mean deviation over all places, which every forecast needs. */
function scenarioDeviations(
  forecaster: Forecaster,
  now: CalendarStep,
  scenarios: readonly (readonly Sample[])[],
): number[] {
  const { dimensions } = forecaster;
  const stepOfWeek = effectiveStep(now, dimensions.day);
  const sums = scenarios.map(() => ({ sum: 0, known: 0 }));
  for (let p = 0; p < dimensions.places; p++) {
    const place = loadPlace(forecaster, p);
    for (const [s, total] of sums.entries()) {
      const value = scenarios[s]?.[p]?.value ?? null;
      if (value === null || !Number.isFinite(value)) continue;
      total.sum += Math.f16round(deviationFrom(place, dimensions, stepOfWeek, value).deviation);
      total.known += 1;
    }
  }
  return sums.map(({ sum, known }) => (known > 0 ? sum / known : 0));
}

/** Trust reaches 63 % after this many hours of outcomes. */
const TRUST_HOURS = 24;
/** The outcomes of other places count too: a tenth of their mean, six hours at most. */
const OTHERS_SHARE = 0.1;
const MAX_OTHERS_HOURS = 6;

/** How much the forecasts of a place count against even odds at a horizon, from 0 (not at all) to 1. */
function trustIn({ dimensions, shared: { outcomeCounts } }: Forecaster): (p: number, h: number) => number {
  const { horizons, places, hour } = dimensions;
  const sums = new Float64Array(horizons);
  for (let i = 0; i < outcomeCounts.length; i++)
    sums[i % horizons] = (sums[i % horizons] as number) + (outcomeCounts[i] as number);
  return (p, h) => {
    const others = Math.min((OTHERS_SHARE * ((sums[h] as number) / places)) / hour, MAX_OTHERS_HOURS);
    return 1 - Math.exp(-((outcomeCounts[p * horizons + h] as number) / hour + others) / TRUST_HOURS);
  };
}

/** Scale parameter of the logistic distribution with a standard deviation of about 1: √3 / π, rounded. */
const LOGISTIC_SCALE = 0.55;
const USUAL = featureIndex('usual');

/**
 * Forecasts the loaded place: first the level, then calm, then classes. Leaves what was used in the workspace's row.
 */
function predictOne(
  { design, dimensions, workspace, shared }: Forecaster,
  h: number,
  now: CalendarStep,
  target: CalendarStep,
  others: MeanDeviation,
  trust: number,
): Forecast {
  const { place, row } = workspace;
  const placeModels = workspace.models[h] as PlaceModels;
  const models = shared.models[h] as SharedModels;
  const { features, levelExperts, calmExperts, results } = row;
  const { scale } = place;
  const { day } = dimensions;

  writeFeatures(features, place, dimensions, now, target, others);
  const stepOfWeek = effectiveStep(target, day);
  const hour = Math.floor((stepOfWeek % day) / dimensions.hour);
  const usual = features[USUAL] as number;
  const core = gather(features, workspace.levelIndices, workspace.levelCore);
  const deviation = predictDeviation(models.level, placeModels.level, hour, features, core, levelExperts);
  const context: ForecastContext = {
    place,
    dimensions,
    target,
    hour,
    stepOfDay: stepOfDayKind(stepOfWeek, day),
    usual,
    level: usual + deviation,
    logisticScale: LOGISTIC_SCALE * typicalError(placeModels.level, hour, dimensions),
    calmEdge: scale.calmEdge === null ? 0 : scaledLevel(scale, scale.calmEdge),
  };
  const tableRow = tableRowIndex(
    place.latest[latestIndex.class] as number,
    hour,
    restDayFlag(stepOfWeek, day),
  );
  writeClassShares(placeModels.classes, tableRow, dimensions, workspace.tableShares, workspace.hourShares);

  writeCalmFeatures(context, row);
  writeCalmExperts(context, models.calm, placeModels.calm, workspace, design.calmClasses);
  const stackLogit = predictLogit(models.calm.stack, calmExperts);
  const calm = 0.5 + trust * (sigmoid(calibrate(models.calm.calibration, stackLogit)) - 0.5);
  writeClassExperts(context, workspace);
  const { calmClasses } = design;
  const classes = forecastClasses(models.classes, placeModels.classes, workspace, trust, calmClasses, calm);

  results[resultIndex.deviation] = deviation;
  results[resultIndex.hour] = hour;
  results[resultIndex.tableRow] = tableRow;
  results[resultIndex.stackLogit] = stackLogit;
  return {
    classes,
    calm,
    value: place.latest[latestIndex.age] === Number.POSITIVE_INFINITY ? null : valueAt(scale, context.level),
    confidence: Math.max(...classes),
  };
}

/** Stores the row of the forecast that was just made until its outcome is known. */
function storePending({ workspace }: Forecaster, h: number, slot: number): void {
  const { values } = workspace.row;
  const { pending, pendingSlots } = workspace.models[h] as PlaceModels;
  const at = slot % pendingSlots.length;
  pendingSlots[at] = slot;
  const from = at * values.length;
  for (let i = 0; i < values.length; i++) pending[from + i] = values[i] as number;
}
