import { type CalmModel, candidates, learnedExperts, spoken } from './calm-model.ts';
import { type FeatureRow, gather } from './feature-row.ts';
import { indexOf } from './features.ts';
import type { ForecastContext } from './forecast-context.ts';
import { latestState } from './place.ts';
import { type Learner, logit, within } from './recursive.ts';
import type { Workspace } from './state.ts';

const MOST_GAP = 3;
const MOST_MARGIN = 8;
/** What the plain candidates are taken to mean before it is learned how often they are right. */
const HARD = logit(0.9);
/** How far from even a share counts, of 1. */
const MOST_SHARE = 0.96;
const MOST_TABLE = 0.99;
const NOW = indexOf('now');

const marginOf = ({ calmEdge, level, unit }: ForecastContext): number =>
  within((calmEdge - level) / unit, MOST_MARGIN);
const shareLogit = (share: number, most: number): number => logit(0.5 + within(2 * share - 1, most) / 2);
const calmShareOf = ({ place, stepOfDay }: ForecastContext): number => place.calmShare[stepOfDay] as number;

/** Writes the signs of calm after the features. */
export function calmSigns(scene: ForecastContext, { all, features, parts }: FeatureRow): void {
  const { place, calmEdge, level, usual } = scene;
  const calmNow = place.pulse[latestState.calm] as number;
  let i = features.length;
  all[i++] = marginOf(scene) / 2;
  all[i++] = within(calmEdge - level, MOST_GAP);
  all[i++] = shareLogit(calmShareOf(scene), MOST_SHARE) / 2;
  all[i++] = within(calmEdge - usual, MOST_GAP);
  all[i++] = Number.isNaN(calmNow) ? 0 : 2 * calmNow - 1;
  for (let e = 1; e < parts.length; e++) all[i++] = within(calmEdge - usual - (parts[e] as number), MOST_GAP);
}

/** Writes 1 and every candidate's logit. */
export function calmExperts(
  scene: ForecastContext,
  model: CalmModel,
  own: Learner,
  desk: Workspace,
  calmClasses: readonly boolean[] | undefined,
): void {
  const { place, extent, target, hour, usual, calmEdge } = scene;
  const { all, features, opinions } = desk.record;
  const calmNow = place.pulse[latestState.calm] as number;
  const lastWeek = place.levels[(target.slot - extent.week) % extent.rings.levels] as number;
  const hard = (level: number) => (Number.isNaN(level) ? 0 : level < calmEdge ? HARD : -HARD);
  opinions[0] = 1;
  learnedExperts(model, own, hour, all, gather(all, desk.calmIndices, desk.calmCore), opinions);
  opinions[4] = marginOf(scene);
  opinions[5] = shareLogit(calmClasses ? sumOf(desk.table, calmClasses) : calmShareOf(scene), MOST_TABLE);
  opinions[6] = shareLogit(calmShareOf(scene), MOST_SHARE);
  opinions[7] = Number.isNaN(calmNow) ? 0 : HARD * (2 * calmNow - 1);
  opinions[8] = hard(lastWeek);
  opinions[9] = hard(usual + (features[NOW] as number));
  for (let c = 1; c <= candidates.length; c++) opinions[c] = spoken(opinions[c] as number);
}

/** The chances of the chosen classes together. */
export function sumOf(chances: Float64Array, chosen: readonly boolean[]): number {
  let sum = 0;
  for (let c = 0; c < chances.length; c++) if (chosen[c]) sum += chances[c] as number;
  return sum;
}
