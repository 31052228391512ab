import type { BufferLayout } from './buffer-layout.ts';
import { learnCalibration, newCalibration } from './calibration.ts';
import type { Extent } from './design.ts';
import { type Feature, featureCount, indexOf } from './features.ts';
import type { Weighing } from './level-model.ts';
import { type Learner, learnChance, logit, logitOf, newLearner } from './recursive.ts';

/** What a calm forecast knows beyond the features, in this order after them. */
export const signs = [
  /** How many typical errors the expected level lies under the calm edge, and how many levels. */
  'margin',
  'gap',
  'calm_share',
  'usual_gap',
  'calm_now',
  'pooled_gap',
  'hourly_gap',
  'placed_gap',
] as const;
export type Sign = (typeof signs)[number];

/** Every opinion that is weighed, as a logit. */
export const candidates = [
  'pooled',
  'hourly',
  'placed',
  'margin',
  'table',
  'calm_share',
  'persistence',
  'last_week',
  'ratio',
] as const;
export type Candidate = (typeof candidates)[number];
const LEARNED = 3;

/** One set for each horizon, shared by all places. */
export interface CalmModel {
  pooled: Learner;
  hourly: Learner[];
  stack: Learner;
  /** The last word, held against what came true lately. */
  calibration: Learner;
}

const HOURS = 24;
const PRIOR = { feature: 0.01, sign: 0.3, hourly: 0.1, placed: 0.05, stack: 0.05 };
/** The margin enters halved, so 2 at the start says: believe the logistic curve of the expected level. */
const MARGIN_START = 2;

/** Where, among the features and signs, the ones are that an hour or a place alone can learn from. */
export const calmCore = (extent: Extent): Int32Array => {
  const feature = (name: Feature) => indexOf(name);
  const sign = (name: Sign) => featureCount(extent) + signs.indexOf(name);
  return Int32Array.of(
    feature('one'),
    sign('margin'),
    sign('gap'),
    sign('calm_share'),
    sign('usual_gap'),
    feature('now'),
    feature('last_week'),
    feature('yesterday'),
    feature('sin'),
    feature('cos'),
  );
};
const CORE_SIZE = 10;
const CORE_MARGIN = 1;

export function newCalmModel(arena: BufferLayout, extent: Extent): CalmModel {
  const count = featureCount(extent);
  const pooled = newLearner(arena, count + signs.length, (i) => (i < count ? PRIOR.feature : PRIOR.sign));
  pooled.coefficients[count + signs.indexOf('margin')] = MARGIN_START;
  const stack = newLearner(arena, candidates.length + 1, () => PRIOR.stack);
  stack.coefficients.fill(1 / LEARNED, 1, 1 + LEARNED);
  return {
    pooled,
    hourly: Array.from({ length: HOURS }, () => trusting(newLearner(arena, CORE_SIZE, () => PRIOR.hourly))),
    stack,
    calibration: newCalibration(arena),
  };
}

export const newPlaceCalm = (arena: BufferLayout): Learner =>
  trusting(newLearner(arena, CORE_SIZE, () => PRIOR.placed));

function trusting(learner: Learner): Learner {
  learner.coefficients[CORE_MARGIN] = MARGIN_START;
  return learner;
}

/** The learned opinions come first among the candidates. */
export function learnedExperts(
  model: CalmModel,
  own: Learner,
  hour: number,
  all: Float64Array,
  core: Float64Array,
  opinions: Float64Array,
): void {
  opinions[1] = logitOf(model.pooled, all);
  opinions[2] = logitOf(model.hourly[hour] as Learner, core);
  opinions[3] = logitOf(own, core);
}

/** No single opinion is heard louder than 199 to 1. */
const LOUDEST = logit(0.995);
export const spoken = (x: number): number => (x > LOUDEST ? LOUDEST : x < -LOUDEST ? -LOUDEST : x);

export function learnCalm(
  model: CalmModel,
  own: Learner,
  hour: number,
  all: Float64Array,
  core: Float64Array,
  opinions: Float64Array,
  verdict: number,
  calm: number,
  { weight, keepShared, keepOwn, standsFor }: Weighing,
): void {
  if (standsFor > 0) learnChance(model.pooled, all, calm, weight * standsFor, keepShared ** standsFor);
  learnChance(model.hourly[hour] as Learner, core, calm, weight, keepShared);
  learnChance(own, core, calm, weight, keepOwn);
  learnChance(model.stack, opinions, calm, weight, keepShared);
  learnCalibration(model.calibration, verdict, calm, weight);
}
