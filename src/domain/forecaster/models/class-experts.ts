import type { ForecastContext } from '../forecast-context.ts';
import { scaledLevel } from '../level-scale.ts';
import { latestIndex } from '../place.ts';
import type { Workspace } from '../state.ts';
import { sumChosen } from './calm-experts.ts';
import { type ClassModel, type PlaceClassModel, writeClassProbabilities } from './class-model.ts';
import { sigmoid } from './recursive-least-squares.ts';

const MIN_PROBABILITY = 0.01;

/** Writes a number for each class, expert by expert, in the order of `classExpertNames`. */
export function writeClassExperts(
  context: ForecastContext,
  { row, tableShares, hourShares }: Workspace,
): void {
  const { place, dimensions, target } = context;
  const { classes: k, rings, week, day } = dimensions;
  const experts = row.classExperts;
  writeLevelExpert(context, experts);
  for (let c = 0; c < k; c++) {
    experts[k + c] = Math.log(Math.max(tableShares[c] as number, MIN_PROBABILITY));
    experts[2 * k + c] = Math.log(Math.max(hourShares[c] as number, MIN_PROBABILITY));
  }
  writeOneHot(experts, 3 * k, k, place.latest[latestIndex.class] as number);
  writeOneHot(experts, 4 * k, k, place.classes[(target.slot - week) % rings.classes] as number);
  writeOneHot(experts, 5 * k, k, place.classes[(target.slot - day) % rings.classes] as number);
}

/** The log probability that the level falls in each class, when classes are ranges of it; else 0 for all. */
function writeLevelExpert(
  { place, dimensions, level, logisticScale }: ForecastContext,
  experts: Float64Array,
): void {
  const { scale } = place;
  let below = 0;
  for (let c = 0; c < dimensions.classes; c++) {
    if (scale.classEdges === null) {
      experts[c] = 0;
      continue;
    }
    const edge = scale.classEdges[c];
    const upTo = edge === undefined ? 1 : sigmoid((scaledLevel(scale, edge) - level) / logisticScale);
    experts[c] = Math.log(Math.max(upTo - below, MIN_PROBABILITY));
    below = Math.max(upTo, below);
  }
}

/** 1 for one class and 0 for the others; `classCode` is that class + 1, or 0 if unknown. */
function writeOneHot(experts: Float64Array, from: number, k: number, classCode: number): void {
  for (let c = 0; c < k; c++) experts[from + c] = c + 1 === classCode ? 1 : 0;
}

/** The probability of each class, mixed with even odds by `trust` and scaled to agree with the one of calm. */
export function forecastClasses(
  model: ClassModel,
  placeModel: PlaceClassModel,
  { row, probabilities }: Workspace,
  trust: number,
  calmClasses: readonly boolean[] | undefined,
  calm: number,
): number[] {
  writeClassProbabilities(model, placeModel, row.inputs, row.classExperts, probabilities);
  const k = probabilities.length;
  const even = 1 / k;
  for (let c = 0; c < k; c++) probabilities[c] = even + trust * ((probabilities[c] as number) - even);
  const sum = calmClasses ? sumChosen(probabilities, calmClasses) : 0;
  const canScale = calmClasses !== undefined && sum > 0 && sum < 1;
  const result: number[] = [];
  for (let c = 0; c < k; c++) {
    const factor = canScale ? (calmClasses[c] ? calm / sum : (1 - calm) / (1 - sum)) : 1;
    result.push((probabilities[c] as number) * factor);
  }
  return result;
}
