import { sumOf } from './calm-experts.ts';
import { type ClassModel, classChances, type PlaceClasses } from './class-model.ts';
import type { ForecastContext } from './forecast-context.ts';
import { levelOf } from './level-scale.ts';
import { latestState } from './place.ts';
import { sigmoid } from './recursive.ts';
import type { Workspace } from './state.ts';

const LEAST_CHANCE = 0.01;

/** Writes, candidate by candidate, what each says of each class. */
export function classExperts(scene: ForecastContext, { record, table, share }: Workspace): void {
  const { place, extent, target } = scene;
  const { classes: k, rings, week, day } = extent;
  const opinions = record.classOpinions;
  levelOpinion(scene, opinions);
  for (let c = 0; c < k; c++) {
    opinions[k + c] = Math.log(Math.max(table[c] as number, LEAST_CHANCE));
    opinions[2 * k + c] = Math.log(Math.max(share[c] as number, LEAST_CHANCE));
  }
  point(opinions, 3 * k, k, place.pulse[latestState.class] as number);
  point(opinions, 4 * k, k, place.classes[(target.slot - week) % rings.classes] as number);
  point(opinions, 5 * k, k, place.classes[(target.slot - day) % rings.classes] as number);
}

/** How likely the level falls in each class, when classes are ranges of it; else nothing. */
function levelOpinion({ place, extent, level, unit }: ForecastContext, opinions: Float64Array): void {
  const { scale } = place;
  let below = 0;
  for (let c = 0; c < extent.classes; c++) {
    if (scale.classEdges === null) {
      opinions[c] = 0;
      continue;
    }
    const edge = scale.classEdges[c];
    const upTo = edge === undefined ? 1 : sigmoid((levelOf(scale, edge) - level) / unit);
    opinions[c] = Math.log(Math.max(upTo - below, LEAST_CHANCE));
    below = Math.max(upTo, below);
  }
}

/** 1 for one class and 0 for the others; `seen` is that class + 1, or 0 for none. */
function point(opinions: Float64Array, from: number, k: number, seen: number): void {
  for (let c = 0; c < k; c++) opinions[from + c] = c + 1 === seen ? 1 : 0;
}

/** The chance of each class, as far as it may be believed, and in agreement with that of calm. */
export function chancesOf(
  model: ClassModel,
  own: PlaceClasses,
  { record, chances }: Workspace,
  trust: number,
  calmClasses: readonly boolean[] | undefined,
  calm: number,
): number[] {
  classChances(model, own, record.all, record.classOpinions, chances);
  const k = chances.length;
  const even = 1 / k;
  for (let c = 0; c < k; c++) chances[c] = even + trust * ((chances[c] as number) - even);
  const sum = calmClasses ? sumOf(chances, calmClasses) : 0;
  const agreeing = calmClasses !== undefined && sum > 0 && sum < 1;
  const result: number[] = [];
  for (let c = 0; c < k; c++) {
    const factor = agreeing ? (calmClasses[c] ? calm / sum : (1 - calm) / (1 - sum)) : 1;
    result.push((chances[c] as number) * factor);
  }
  return result;
}
