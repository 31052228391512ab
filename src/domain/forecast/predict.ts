import { livedStep, type Moment, restOf } from './calendar.ts';
import { candidates, learnedOpinions, spoken } from './calm.ts';
import { classChances, frequencies, rowOf } from './classes.ts';
import type { Forecast } from './design.ts';
import { describe, indexOf } from './features.ts';
import { expectSurprise, typicalError } from './level.ts';
import { type Place, pulse } from './place.ts';
import { gather, mark } from './record.ts';
import { logit, logitOf, sigmoid, within } from './recursive.ts';
import { levelOf, valueAt } from './scale.ts';
import type { Forecaster, Own, Shared } from './state.ts';

/** The forecasts of every place for every horizon, made at the slot last observed; `targets` are the slots meant. */
export function predict(forecaster: Forecaster, now: Moment, targets: readonly Moment[]): Forecast[][] {
  const { places, design, clock } = forecaster;
  if (now.slot !== clock[0]) throw new RangeError(`slot ${now.slot} was not the last observed`);
  if (targets.length !== design.horizons.length)
    throw new RangeError('one target is needed for each horizon');
  const heard = evidence(forecaster);
  return places.map((_, p) =>
    targets.map((target, h) => predictOne(forecaster, p, h, now, target, heard[p]?.[h] as number)),
  );
}

/** Evidence counts in hours of outcomes; a day of one's own is worth most of what can be had. */
const FAMILIAR_HOURS = 24;
/** Other places teach a newcomer a little: a tenth of what they have seen on average, six hours at most. */
const OTHERS_SHARE = 0.1;
const OTHERS_MOST = 6;

/** How far each place's forecasts may be believed, 0 for not at all. */
function evidence({ owns, extent, design }: Forecaster): number[][] {
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
const MOST_GAP = 3;
const MOST_MARGIN = 8;
/** What the plain candidates are taken to mean before it is learned how often they are right. */
const HARD = logit(0.9);
const LEAST_CHANCE = 0.01;

const FEATURE = { usual: indexOf('usual'), now: indexOf('now') };

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
  const { record, table, share, chances } = desk;
  const { all, features, parts, opinions, verdict, classOpinions, marks } = record;
  const { scale } = place;
  const { day, week, classes } = extent;

  describe(features, place, extent, now, target, {
    now: together[now.slot % together.length] as number,
    hourAgo: together[(now.slot + 1) % together.length] as number,
  });
  const lived = livedStep(target, day);
  const rest = restOf(lived, day);
  const hour = Math.floor((lived % day) / extent.hour);
  const usual = features[FEATURE.usual] as number;
  const core = gather(features, desk.levelIndices, desk.levelCore);
  const surprise = expectSurprise(shared.level, own.level, hour, features, core, parts);
  const level = usual + surprise;
  const unit = LOGISTIC * typicalError(own.level, hour, extent);

  const tableRow = rowOf(place.pulse[pulse.class] as number, hour, rest);
  frequencies(own.classes, tableRow, extent, table, share);

  const calmEdge = scale.calmEdge === null ? 0 : levelOf(scale, scale.calmEdge);
  const margin = within((calmEdge - level) / unit, MOST_MARGIN);
  const calmShare = place.calmShare[rest * day + (lived % day)] as number;
  const calmNow = place.pulse[pulse.calm] as number;
  let i = features.length;
  all[i++] = margin / 2;
  all[i++] = within(calmEdge - level, MOST_GAP);
  all[i++] = logit(within(2 * calmShare - 1, 0.96) / 2 + 0.5) / 2;
  all[i++] = within(calmEdge - usual, MOST_GAP);
  all[i++] = Number.isNaN(calmNow) ? 0 : 2 * calmNow - 1;
  for (let e = 1; e < parts.length; e++) all[i++] = within(calmEdge - usual - (parts[e] as number), MOST_GAP);

  const hard = (level: number) => (Number.isNaN(level) ? 0 : level < calmEdge ? HARD : -HARD);
  const lastWeek = place.levels[(target.slot - week) % extent.rings.levels] as number;
  opinions[0] = 1;
  learnedOpinions(shared.calm, own.calm, hour, all, gather(all, desk.calmIndices, desk.calmCore), opinions);
  opinions[4] = margin;
  opinions[5] = tableCalm(design.calmClasses, table, calmShare);
  opinions[6] = logit(within(2 * calmShare - 1, 0.96) / 2 + 0.5);
  opinions[7] = Number.isNaN(calmNow) ? 0 : HARD * (2 * calmNow - 1);
  opinions[8] = hard(lastWeek);
  opinions[9] = hard(usual + (features[FEATURE.now] as number));
  for (let c = 1; c <= candidates.length; c++) opinions[c] = spoken(opinions[c] as number);
  verdict[0] = 1;
  verdict[1] = logitOf(shared.calm.stack, opinions);
  const calm = 0.5 + trust * (sigmoid(logitOf(shared.calm.calibration, verdict)) - 0.5);

  levelOpinion(scale, level, unit, classOpinions, classes);
  for (let c = 0; c < classes; c++) {
    classOpinions[classes + c] = Math.log(Math.max(table[c] as number, LEAST_CHANCE));
    classOpinions[2 * classes + c] = Math.log(Math.max(share[c] as number, LEAST_CHANCE));
  }
  const ring = extent.rings.classes;
  oneHot(classOpinions, 3 * classes, classes, place.pulse[pulse.class] as number);
  oneHot(classOpinions, 4 * classes, classes, place.classes[(target.slot - week) % ring] as number);
  oneHot(classOpinions, 5 * classes, classes, place.classes[(target.slot - day) % ring] as number);
  classChances(shared.classes, own.classes, all, classOpinions, chances);
  marks[mark.surprise] = surprise;
  marks[mark.hour] = hour;
  marks[mark.tableRow] = tableRow;
  keep(own, record.row, now.slot);

  const even = 1 / classes;
  for (let c = 0; c < classes; c++) chances[c] = even + trust * ((chances[c] as number) - even);
  if (design.calmClasses) agree(chances, design.calmClasses, calm);
  const chosen: number[] = [];
  let confidence = 0;
  for (let c = 0; c < classes; c++) {
    const chance = chances[c] as number;
    chosen.push(chance);
    if (chance > confidence) confidence = chance;
  }
  return {
    classes: chosen,
    calm,
    value: place.pulse[pulse.age] === Number.POSITIVE_INFINITY ? null : valueAt(scale, level),
    confidence,
  };
}

/** Puts a forecast by until its outcome is known. */
function keep({ pending, pendingSlots }: Own, row: Float64Array, slot: number): void {
  const at = slot % pendingSlots.length;
  pendingSlots[at] = slot;
  const from = at * row.length;
  for (let i = 0; i < row.length; i++) pending[from + i] = row[i] as number;
}

function tableCalm(
  calmClasses: readonly boolean[] | undefined,
  table: Float64Array,
  otherwise: number,
): number {
  let chance = 0;
  if (calmClasses) for (let c = 0; c < table.length; c++) chance += calmClasses[c] ? (table[c] as number) : 0;
  else chance = otherwise;
  return logit(within(2 * chance - 1, 0.99) / 2 + 0.5);
}

/** The class that the expected level falls in, when classes are ranges of the level. */
function levelOpinion(
  scale: Place['scale'],
  level: number,
  unit: number,
  opinions: Float64Array,
  classes: number,
): void {
  const edges = scale.classEdges;
  let below = 0;
  for (let c = 0; c < classes; c++) {
    if (edges === null) {
      opinions[c] = 0;
      continue;
    }
    const upTo = c < edges.length ? sigmoid((levelOf(scale, edges[c] as number) - level) / unit) : 1;
    opinions[c] = Math.log(Math.max(upTo - below, LEAST_CHANCE));
    below = Math.max(upTo, below);
  }
}

/** `seen` is a class + 1, or 0 for none. */
function oneHot(opinions: Float64Array, from: number, classes: number, seen: number): void {
  for (let c = 0; c < classes; c++) opinions[from + c] = c + 1 === seen ? 1 : 0;
}

/** Shifts chances between the calm classes and the others until the calm ones add up to `calm`. */
function agree(chances: Float64Array, calmClasses: readonly boolean[], calm: number): void {
  let sum = 0;
  for (let c = 0; c < chances.length; c++) sum += calmClasses[c] ? (chances[c] as number) : 0;
  if (sum <= 0 || sum >= 1) return;
  for (let c = 0; c < chances.length; c++)
    chances[c] = (chances[c] as number) * (calmClasses[c] ? calm / sum : (1 - calm) / (1 - sum));
}
