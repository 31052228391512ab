import { type FeatureRow, gather } from '../feature-row.ts';
import { featureIndex } from '../features.ts';
import type { ForecastContext } from '../forecast-context.ts';
import { latestIndex } from '../place.ts';
import type { Workspace } from '../state.ts';
import { type CalmModel, calmExpertNames, writeLearnedExperts } from './calm-model.ts';
import { clampMagnitude, logit, type Regression } from './recursive-least-squares.ts';

const MAX_GAP = 3;
const MAX_MARGIN = 8;
/** The odds of a single expert are limited to 199 to 1. */
const MAX_EXPERT_LOGIT = logit(0.995);
/** The logit of an expert that gives only yes or no, before the stack has learned how often it is right. */
const YES = logit(0.9);
/** Shares are limited so that their logit is finite: 2 · share − 1 lies within these bounds. */
const MAX_SHARE = 0.96;
const MAX_TABLE_SHARE = 0.99;
const NOW = featureIndex('now');

const calmMargin = ({ calmEdge, level, logisticScale }: ForecastContext): number =>
  clampMagnitude((calmEdge - level) / logisticScale, MAX_MARGIN);
const shareLogit = (share: number, max: number): number =>
  logit(0.5 + clampMagnitude(2 * share - 1, max) / 2);
const usualCalmShare = ({ place, stepOfDay }: ForecastContext): number =>
  place.calmShare[stepOfDay] as number;

/** Writes the calm features after the features, in the order of `calmFeatures`. */
export function writeCalmFeatures(
  context: ForecastContext,
  { inputs, features, levelExperts }: FeatureRow,
): void {
  const { place, calmEdge, level, usual } = context;
  const calmNow = place.latest[latestIndex.calm] as number;
  let i = features.length;
  inputs[i++] = calmMargin(context) / 2;
  inputs[i++] = clampMagnitude(calmEdge - level, MAX_GAP);
  inputs[i++] = shareLogit(usualCalmShare(context), MAX_SHARE) / 2;
  inputs[i++] = clampMagnitude(calmEdge - usual, MAX_GAP);
  inputs[i++] = Number.isNaN(calmNow) ? 0 : 2 * calmNow - 1;
  for (let e = 1; e < levelExperts.length; e++)
    inputs[i++] = clampMagnitude(calmEdge - usual - (levelExperts[e] as number), MAX_GAP);
}

/** Writes 1 and the logit of every calm expert, in the order of `calmExpertNames`. */
export function writeCalmExperts(
  context: ForecastContext,
  model: CalmModel,
  placeModel: Regression,
  workspace: Workspace,
  calmClasses: readonly boolean[] | undefined,
): void {
  const { place, dimensions, target, hour, usual, calmEdge } = context;
  const { inputs, features, calmExperts: experts } = workspace.row;
  const calmNow = place.latest[latestIndex.calm] as number;
  const lastWeek = place.levels[(target.slot - dimensions.week) % dimensions.rings.levels] as number;
  const yesOrNo = (level: number) => (Number.isNaN(level) ? 0 : level < calmEdge ? YES : -YES);
  experts[0] = 1;
  const core = gather(inputs, workspace.calmIndices, workspace.calmCore);
  writeLearnedExperts(model, placeModel, hour, inputs, core, experts);
  experts[4] = calmMargin(context);
  experts[5] = shareLogit(
    calmClasses ? sumChosen(workspace.tableShares, calmClasses) : usualCalmShare(context),
    MAX_TABLE_SHARE,
  );
  experts[6] = shareLogit(usualCalmShare(context), MAX_SHARE);
  experts[7] = Number.isNaN(calmNow) ? 0 : YES * (2 * calmNow - 1);
  experts[8] = yesOrNo(lastWeek);
  experts[9] = yesOrNo(usual + (features[NOW] as number));
  for (let e = 1; e <= calmExpertNames.length; e++)
    experts[e] = clampMagnitude(experts[e] as number, MAX_EXPERT_LOGIT);
}

/** The sum of the probabilities of the chosen classes. */
export function sumChosen(probabilities: Float64Array, chosen: readonly boolean[]): number {
  let sum = 0;
  for (let c = 0; c < probabilities.length; c++) if (chosen[c]) sum += probabilities[c] as number;
  return sum;
}
