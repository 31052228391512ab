import { livedStep, type Moment, restOf } from './calendar.ts';
import { calmOpinions, calmSigns } from './calm-signs.ts';
import { chancesOf, classOpinions } from './class-opinions.ts';
import { frequencies, rowOf } from './classes.ts';
import type { Forecast } from './design.ts';
import { describe, indexOf } from './features.ts';
import { expectSurprise, typicalError } from './level.ts';
import { type Place, pulse } from './place.ts';
import { gather, mark } from './record.ts';
import { logitOf, sigmoid } from './recursive.ts';
import { levelOf, valueAt } from './scale.ts';
import type { Scene } from './scene.ts';
import type { Forecaster, Own, Shared } from './state.ts';

/** The forecasts of every place for every horizon, made at the slot last observed; `targets` are the slots meant. */
export function predict(forecaster: Forecaster, now: Moment, targets: readonly Moment[]): Forecast[][] {
  const { places, design, clock } = forecaster;
  if (now.slot !== clock[0]) throw new RangeError(`slot ${now.slot} was not the last observed`);
  if (targets.length !== design.horizons.length)
    throw new RangeError('one target is needed for each horizon');
  const trust = trustIn(forecaster);
  return places.map((_, p) =>
    targets.map((target, h) => predictOne(forecaster, p, h, now, target, trust[p]?.[h] as number)),
  );
}

/** Evidence counts in hours of outcomes; a day of one's own is worth most of what can be had. */
const FAMILIAR_HOURS = 24;
/** Other places teach a newcomer a little: a tenth of what they have seen on average, six hours at most. */
const OTHERS_SHARE = 0.1;
const OTHERS_MOST = 6;

/** How far the forecasts of each place and horizon may be believed, 0 for not at all. */
function trustIn({ owns, extent, design }: Forecaster): number[][] {
  const means = design.horizons.map(
    (_, h) => owns.reduce((sum, own) => sum + ((own[h] as Own).learned[0] as number), 0) / owns.length,
  );
  return owns.map((own) =>
    own.map(({ learned }, h) => {
      const others = Math.min((OTHERS_SHARE * (means[h] as number)) / extent.hour, OTHERS_MOST);
      return 1 - Math.exp(-((learned[0] as number) / extent.hour + others) / FAMILIAR_HOURS);
    }),
  );
}

/** The logistic curve with the spread of a bell curve of 1. */
const LOGISTIC = 0.55;
const USUAL = indexOf('usual');

function predictOne(
  forecaster: Forecaster,
  p: number,
  h: number,
  now: Moment,
  target: Moment,
  trust: number,
): Forecast {
  const { design, extent, desk, together } = forecaster;
  const place = forecaster.places[p] as Place;
  const own = forecaster.owns[p]?.[h] as Own;
  const shared = forecaster.shared[h] as Shared;
  const { features, parts, opinions, verdict, marks, row } = desk.record;
  const { scale } = place;

  describe(features, place, extent, now, target, {
    now: together[now.slot % together.length] as number,
    hourAgo: together[(now.slot + 1) % together.length] as number,
  });
  const lived = livedStep(target, extent.day);
  const rest = restOf(lived, extent.day);
  const hour = Math.floor((lived % extent.day) / extent.hour);
  const usual = features[USUAL] as number;
  const core = gather(features, desk.levelIndices, desk.levelCore);
  const surprise = expectSurprise(shared.level, own.level, hour, features, core, parts);
  const scene: Scene = {
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
  const tableRow = rowOf(place.pulse[pulse.class] as number, hour, rest);
  frequencies(own.classes, tableRow, extent, desk.table, desk.share);

  calmSigns(scene, desk.record);
  calmOpinions(scene, shared.calm, own.calm, desk, design.calmClasses);
  verdict[0] = 1;
  verdict[1] = logitOf(shared.calm.stack, opinions);
  const calm = 0.5 + trust * (sigmoid(logitOf(shared.calm.calibration, verdict)) - 0.5);
  classOpinions(scene, desk);
  const classes = chancesOf(shared.classes, own.classes, desk, trust, design.calmClasses, calm);

  marks[mark.surprise] = surprise;
  marks[mark.hour] = hour;
  marks[mark.tableRow] = tableRow;
  keep(own, row, now.slot);
  return {
    classes,
    calm,
    value: place.pulse[pulse.age] === Number.POSITIVE_INFINITY ? null : valueAt(scale, scene.level),
    confidence: Math.max(...classes),
  };
}

/** Puts a forecast by until its outcome is known. */
function keep({ pending, pendingSlots }: Own, row: Float64Array, slot: number): void {
  const at = slot % pendingSlots.length;
  pendingSlots[at] = slot;
  const from = at * row.length;
  for (let i = 0; i < row.length; i++) pending[from + i] = row[i] as number;
}
