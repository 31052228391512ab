import { type CalendarStep, effectiveStep } from './calendar-step.ts';
import type { Sample } from './design.ts';
import { gather, resultIndex } from './feature-row.ts';
import { featureIndex } from './features.ts';
import { scaledLevel } from './level-scale.ts';
import { addCalibrationDrift } from './models/calibration.ts';
import { updateCalmModel } from './models/calm-model.ts';
import { countOutcome, updateClassModel } from './models/class-model.ts';
import { type UpdateWeights, updateError, updateLevelModel } from './models/level-model.ts';
import { clampMagnitude } from './models/recursive-least-squares.ts';
import { clearSlot, MAX_DEVIATION, recordSample } from './place.ts';
import { type Forecaster, loadPlace, type PlaceModels, type SharedModels, storeLearned } from './state.ts';

/**
 * How a slot enters the forecaster. It is used twice: first as the outcome of the forecasts that were made for it
 * (`learnOutcomes`), then as the newest measurement to forecast from (`recordSamples`). `observe` does both in one
 * pass. Between the two, scenarios can be tried on the same slot (`predictScenarios`).
 */

/** Time constants of forgetting: about a season for shared models, two months for those of a place. */
const SHARED_DAYS = 90;
const PLACE_DAYS = 60;

/** Learns and records one slot. `samples` has one entry for each place. Slots must ascend. */
export function observe(forecaster: Forecaster, now: CalendarStep, samples: readonly Sample[]): void {
  const weightsOf = advanceTo(forecaster, now, samples);
  storeMeanDeviation(
    forecaster,
    now,
    recordEach(forecaster, now, samples, {
      before: (p) => learnPlace(forecaster, p, now.slot, samples[p] as Sample, weightsOf(p)),
      after: (p) => storeLearned(forecaster, p),
    }),
  );
}

/** The first half of `observe`: the slot as the outcome of earlier forecasts. */
export function learnOutcomes(forecaster: Forecaster, now: CalendarStep, samples: readonly Sample[]): void {
  const weightsOf = advanceTo(forecaster, now, samples);
  for (let p = 0; p < samples.length; p++) {
    loadPlace(forecaster, p);
    learnPlace(forecaster, p, now.slot, samples[p] as Sample, weightsOf(p));
    storeLearned(forecaster, p);
  }
}

/** The second half: the slot as the newest measurement. */
export function recordSamples(forecaster: Forecaster, now: CalendarStep, samples: readonly Sample[]): void {
  const mean = recordEach(forecaster, now, samples, { after: (p) => storeLearned(forecaster, p) });
  storeMeanDeviation(forecaster, now, mean);
}

function storeMeanDeviation({ shared }: Forecaster, now: CalendarStep, mean: number): void {
  shared.meanDeviations[now.slot % shared.meanDeviations.length] = mean;
}

/** Moves the forecaster to a new slot, and returns how the outcome of each place is weighted. */
function advanceTo(
  forecaster: Forecaster,
  now: CalendarStep,
  samples: readonly Sample[],
): (p: number) => UpdateWeights {
  const { dimensions, shared } = forecaster;
  const { hour, day, places } = dimensions;
  const last = shared.lastSlot[0] as number;
  if (now.slot <= last) throw new RangeError(`slot ${now.slot} does not come after ${last}`);
  if (samples.length !== places) throw new RangeError('one sample is needed for each place');
  clearMissedSlots(forecaster, last, now.slot);
  shared.lastSlot[0] = now.slot;
  for (const { calm } of shared.models) addCalibrationDrift(calm.calibration, day);
  const weights: UpdateWeights = {
    pooledSamples: 0,
    weight: 1 / hour,
    forgetShared: 1 - 1 / (SHARED_DAYS * day * places),
    forgetPlace: 1 - 1 / (PLACE_DAYS * day),
  };
  const withPooled = { ...weights, pooledSamples: hour };
  // Each slot updates a share of the places, so that every slot costs about the same.
  return (p) => ((now.slot + p) % hour === 0 ? withPooled : weights);
}

/**
 * Records the sample of each place, and returns the mean deviation over those that had a value. The callbacks run while
 * that place is loaded in the workspace; what is recorded is lost unless `after` stores it.
 */
function recordEach(
  forecaster: Forecaster,
  now: CalendarStep,
  samples: readonly Sample[],
  call: { before?: (p: number) => void; after?: (p: number) => void },
): number {
  const { dimensions } = forecaster;
  const stepOfWeek = effectiveStep(now, dimensions.day);
  let sum = 0;
  let known = 0;
  for (let p = 0; p < samples.length; p++) {
    const place = loadPlace(forecaster, p);
    call.before?.(p);
    recordSample(place, dimensions, now.slot, stepOfWeek, now.holiday, samples[p] as Sample);
    call.after?.(p);
    const deviation = place.deviations[now.slot % dimensions.rings.deviations] as number;
    if (Number.isNaN(deviation)) continue;
    sum += deviation;
    known += 1;
  }
  return known > 0 ? sum / known : 0;
}

/**
 * Clears the slots between `last` and `slot`. After two weeks every ring buffer has been cleared once; more would
 * change nothing.
 */
function clearMissedSlots(forecaster: Forecaster, last: number, slot: number): void {
  if (Number.isNaN(last) || slot === last + 1) return;
  const { dimensions, shared } = forecaster;
  const { meanDeviations } = shared;
  const first = Math.max(last + 1, slot - dimensions.rings.levels);
  for (let missed = first; missed < slot; missed++) meanDeviations[missed % meanDeviations.length] = 0;
  for (let p = 0; p < dimensions.places; p++) {
    const place = loadPlace(forecaster, p);
    for (let missed = first; missed < slot; missed++) clearSlot(place, dimensions, missed);
    storeLearned(forecaster, p);
  }
}

const USUAL = featureIndex('usual');

function learnPlace(
  forecaster: Forecaster,
  p: number,
  slot: number,
  sample: Sample,
  weights: UpdateWeights,
): void {
  for (let h = 0; h < forecaster.dimensions.horizons; h++)
    learnHorizon(forecaster, p, h, slot, sample, weights);
}

/** Learns from the pending forecast of the loaded place for this slot, if one was made. */
function learnHorizon(
  forecaster: Forecaster,
  p: number,
  h: number,
  slot: number,
  { value, calm, class: outcome }: Sample,
  weights: UpdateWeights,
): void {
  const { design, dimensions, workspace, shared } = forecaster;
  const placeModels = workspace.models[h] as PlaceModels;
  const sharedModels = shared.models[h] as SharedModels;
  const steps = design.horizons[h] as number;
  const at = slot % steps;
  if (placeModels.pendingSlots[at] !== slot - steps) return;

  const { row, probabilities } = workspace;
  const { inputs, features, levelExperts, calmExperts, classExperts, results } = row;
  const size = row.values.length;
  for (let i = 0; i < size; i++) row.values[i] = placeModels.pending[at * size + i] as number;
  const hour = results[resultIndex.hour] as number;

  if (value !== null && Number.isFinite(value)) {
    const level = scaledLevel(workspace.place.scale, value);
    const deviation = clampMagnitude(level - (features[USUAL] as number), MAX_DEVIATION);
    const core = gather(features, workspace.levelIndices, workspace.levelCore);
    const { level: model } = sharedModels;
    updateLevelModel(model, placeModels.level, hour, features, core, levelExperts, deviation, weights);
    const error = deviation - (results[resultIndex.deviation] as number);
    updateError(placeModels.level, hour, error, dimensions);
  }
  if (calm !== null) {
    const core = gather(inputs, workspace.calmIndices, workspace.calmCore);
    const stackLogit = results[resultIndex.stackLogit] as number;
    const { calm: model } = sharedModels;
    updateCalmModel(
      model,
      placeModels.calm,
      hour,
      inputs,
      core,
      calmExperts,
      stackLogit,
      calm ? 1 : 0,
      weights,
    );
  }
  if (outcome !== null) {
    const { classes: model } = sharedModels;
    updateClassModel(
      model,
      placeModels.classes,
      inputs,
      classExperts,
      probabilities,
      outcome,
      weights.weight,
    );
    countOutcome(placeModels.classes, results[resultIndex.tableRow] as number, outcome, dimensions.classes);
  }
  if (calm === null && outcome === null) return;
  const nth = p * dimensions.horizons + h;
  shared.outcomeCounts[nth] = (shared.outcomeCounts[nth] as number) + 1;
}
