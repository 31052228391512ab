import { type CalendarStep, livedStep, restOf } from './calendar-step.ts';
import { calibrated } from './calibration.ts';
import { calmExperts, calmSigns } from './calm-experts.ts';
import { chancesOf, classExperts } from './class-experts.ts';
import { frequencies, rowOf } from './class-model.ts';
import type { Forecast, Sample } from './design.ts';
import { gather, mark } from './feature-row.ts';
import { describe, indexOf, type Others } from './features.ts';
import type { ForecastContext } from './forecast-context.ts';
import { expectSurprise, typicalError } from './level-model.ts';
import { levelOf, valueAt } from './level-scale.ts';
import { showAll } from './observe.ts';
import { latestState } from './place.ts';
import { logitOf, sigmoid } from './recursive.ts';
import { type Forecaster, loadPlace, type Own, type Shared, storePlace, toRest } from './state.ts';

/** The forecasts of every place for every horizon, made at the slot last observed; `targets` are the slots meant. */
export function predict(
  forecaster: Forecaster,
  now: CalendarStep,
  targets: readonly CalendarStep[],
): Forecast[][] {
  const { design, extent, common } = forecaster;
  const { clock, together } = common;
  if (now.slot !== clock[0]) throw new RangeError(`slot ${now.slot} was not the last observed`);
  if (targets.length !== design.horizons.length)
    throw new RangeError('one target is needed for each horizon');
  const trust = trustIn(forecaster);
  const others = {
    now: together[now.slot % together.length] as number,
    hourAgo: together[(now.slot + 1) % together.length] as number,
  };
  return Array.from({ length: extent.places }, (_, p) => {
    loadPlace(forecaster, p);
    const made = targets.map((target, h) => {
      const forecast = predictOne(forecaster, h, now, target, others, trust(p, h));
      keep(forecaster, h, now.slot);
      return forecast;
    });
    storePlace(forecaster, p);
    return made;
  });
}

/**
 * What the forecasts would be, had these readings come instead: after the outcomes of the slot were learned, before it
 * was taken in. Nothing of it is kept. The forecasts of one place after the other are handed to `take`.
 */
export function predictScenario(
  forecaster: Forecaster,
  now: CalendarStep,
  targets: readonly CalendarStep[],
  readings: readonly Sample[],
  take: (p: number, forecasts: Forecast[]) => void,
): void {
  const { together } = forecaster.common;
  const trust = trustIn(forecaster);
  const others = {
    now: showAll(forecaster, now, readings, {}),
    hourAgo: together[(now.slot + 1) % together.length] as number,
  };
  const { wide, narrow } = forecaster.workspace;
  const predictAll = (p: number) => {
    toRest(forecaster.workspace);
    wide.set(narrow);
    return targets.map((target, h) => predictOne(forecaster, h, now, target, others, trust(p, h)));
  };
  showAll(forecaster, now, readings, { after: (p) => take(p, predictAll(p)) });
}

/** Evidence counts in hours of outcomes; a day of one's own is worth most of what can be had. */
const FAMILIAR_HOURS = 24;
/** Other places teach a newcomer a little: a tenth of what they have seen on average, six hours at most. */
const OTHERS_SHARE = 0.1;
const OTHERS_MOST = 6;

/** How far the forecasts of a place may be believed at a horizon, 0 for not at all. */
function trustIn({ extent, common: { learned } }: Forecaster): (p: number, h: number) => number {
  const { horizons, places, hour } = extent;
  const sums = new Float64Array(horizons);
  for (let i = 0; i < learned.length; i++)
    sums[i % horizons] = (sums[i % horizons] as number) + (learned[i] as number);
  return (p, h) => {
    const others = Math.min((OTHERS_SHARE * ((sums[h] as number) / places)) / hour, OTHERS_MOST);
    return 1 - Math.exp(-((learned[p * horizons + h] as number) / hour + others) / FAMILIAR_HOURS);
  };
}

/** The logistic curve with the spread of a bell curve of 1. */
const LOGISTIC = 0.55;
const USUAL = indexOf('usual');

/** Of the place on the desk. */
function predictOne(
  { design, extent, workspace: desk, common }: Forecaster,
  h: number,
  now: CalendarStep,
  target: CalendarStep,
  others: Others,
  trust: number,
): Forecast {
  const { place } = desk;
  const own = desk.owns[h] as Own;
  const shared = common.shared[h] as Shared;
  const { features, parts, opinions, marks } = desk.record;
  const { scale } = place;

  describe(features, place, extent, now, target, others);
  const lived = livedStep(target, extent.day);
  const rest = restOf(lived, extent.day);
  const hour = Math.floor((lived % extent.day) / extent.hour);
  const usual = features[USUAL] as number;
  const core = gather(features, desk.levelIndices, desk.levelCore);
  const surprise = expectSurprise(shared.level, own.level, hour, features, core, parts);
  const scene: ForecastContext = {
    place,
    extent,
    target,
    hour,
    stepOfDay: rest * extent.day + (lived % extent.day),
    usual,
    level: usual + surprise,
    unit: LOGISTIC * typicalError(own.level, hour, extent),
    calmEdge: scale.calmEdge === null ? 0 : levelOf(scale, scale.calmEdge),
  };
  const tableRow = rowOf(place.pulse[latestState.class] as number, hour, rest);
  frequencies(own.classes, tableRow, extent, desk.table, desk.share);

  calmSigns(scene, desk.record);
  calmExperts(scene, shared.calm, own.calm, desk, design.calmClasses);
  const verdict = logitOf(shared.calm.stack, opinions);
  const calm = 0.5 + trust * (sigmoid(calibrated(shared.calm.calibration, verdict)) - 0.5);
  classExperts(scene, desk);
  const classes = chancesOf(shared.classes, own.classes, desk, trust, design.calmClasses, calm);

  marks[mark.surprise] = surprise;
  marks[mark.hour] = hour;
  marks[mark.tableRow] = tableRow;
  marks[mark.verdict] = verdict;
  return {
    classes,
    calm,
    value: place.pulse[latestState.age] === Number.POSITIVE_INFINITY ? null : valueAt(scale, scene.level),
    confidence: Math.max(...classes),
  };
}

/** Puts the forecast that was just made by until its outcome is known. */
function keep({ workspace: desk }: Forecaster, h: number, slot: number): void {
  const { row } = desk.record;
  const { pending, pendingSlots } = desk.owns[h] as Own;
  const at = slot % pendingSlots.length;
  pendingSlots[at] = slot;
  const from = at * row.length;
  for (let i = 0; i < row.length; i++) pending[from + i] = row[i] as number;
}
