/**
 * The calm probability of a pocket: how likely it is in a calm state at each of the next two readings, that is through
 * the next half hour (docs/formulas.md, "Calm probability"). It is learned from what followed like readings of the same
 * pocket: outcomes are summed at a few levels of calm, apart for a falling, a level and a rising half hour, and a
 * reading between two levels is interpolated between their shares.
 */

import { levelWeights } from '../stats/level-weights.ts';
import { round } from '../stats/unit-scale.ts';
import { SLOT } from '../time/slot.ts';
import { isCalmState } from './primary-state.ts';
import type { Reading } from './reading.ts';

/** The readings that decide the outcome: the next two, which cover half an hour. */
const READINGS_AHEAD = 2;
/** A half hour in which calm changed by less counts as level. */
const LEAST_CHANGE = 0.05;

type Direction = 'falling' | 'level' | 'rising';

/** What is known of a pocket when its next half hour is judged. Stored as JSON while its outcome is open. */
export interface CalmCondition {
  slot: number;
  /** Calm of the reading. */
  calm: number;
  /** Change of calm over the last half hour; 0 while there is no earlier reading. */
  change: number;
  state: 'calm' | 'rain' | 'other';
}

/** How many readings were like this (weights add up to a fraction), and for how many of them the half hour was calm. */
interface OutcomeSum {
  n: number;
  calm: number;
}

/** What a pocket has learned. Stored as JSON, so its field names are part of the saved state. */
export interface CalmOutcomes {
  /** By direction and level of calm, see `conditionSums`. */
  sums: Record<string, OutcomeSum>;
  /** The newest conditions, oldest first, whose half hour is not over. */
  open: CalmCondition[];
}

export const noCalmOutcomes: CalmOutcomes = { sums: {}, open: [] };

/** Levels of calm at which outcomes are summed: close to each other around 0.55, where a calm state begins. */
const LEVELS = [0.35, 0.45, 0.5, 0.55, 0.6, 0.65, 0.75, 0.95] as const;

/** The shares over all pockets of a simulated autumn, from which every pocket starts. */
const PRIORS: Record<Direction, readonly number[]> = {
  falling: [0.01, 0.01, 0.05, 0.21, 0.47, 0.72, 0.92, 0.95],
  level: [0.01, 0.02, 0.13, 0.41, 0.72, 0.92, 0.96, 0.98],
  rising: [0.01, 0.06, 0.31, 0.66, 0.85, 0.93, 0.96, 0.97],
};
/** A pocket subdued by rain is not in a calm state at any level of calm; the rain decides how soon it is. */
const RAIN_PRIORS: Record<Direction, number> = { falling: 0.22, level: 0.32, rising: 0.48 };
/** The share of all half hours that are calm. */
const BASE_PRIOR = 0.6;
/** A prior counts as this many outcomes. */
const PRIOR_COUNT = 12;
/** From this many outcomes on, older ones lose weight. */
const MEMORY = 400;

/** `recent`: the readings of the last two hours, this one included. */
export function calmCondition(
  reading: Pick<Reading, 'slot' | 'calm' | 'primary_state'>,
  recent: readonly Pick<Reading, 'slot' | 'calm'>[],
): CalmCondition {
  const { slot, calm, primary_state } = reading;
  const at = (age: number) => recent.find((past) => past.slot === slot - age)?.calm;
  const before = at(2 * SLOT) ?? at(SLOT) ?? calm;
  const state = isCalmState(primary_state) ? 'calm' : primary_state === 'rain-subdued' ? 'rain' : 'other';
  return { slot, calm, change: round(calm - before), state };
}

/**
 * The outcomes with one more reading, which ends the half hour of the condition two slots before. A half hour with a
 * missing reading is not learned: whether it was calm is unknown.
 */
export function addCalmReading({ sums, open }: CalmOutcomes, now: CalmCondition): CalmOutcomes {
  const conditions = [...open.filter(({ slot }) => slot < now.slot), now];
  const judged = conditions.find(({ slot }) => slot === now.slot - READINGS_AHEAD * SLOT);
  const followed = conditions.filter(({ slot }) => slot > now.slot - READINGS_AHEAD * SLOT);
  const next = { ...sums };
  if (judged && followed.length === READINGS_AHEAD) {
    const outcome = followed.every(({ state }) => state === 'calm') ? 1 : 0;
    for (const { key, weight } of conditionSums(judged)) next[key] = addOutcome(next[key], outcome, weight);
  }
  return { sums: next, open: followed };
}

function addOutcome(before: OutcomeSum | undefined, outcome: number, weight: number): OutcomeSum {
  const { n, calm } = before ?? { n: 0, calm: 0 };
  const kept = n >= MEMORY ? (MEMORY - 1) / MEMORY : 1;
  return { n: round(n * kept + weight, 4), calm: round(calm * kept + weight * outcome, 4) };
}

/** The sums that a condition belongs to, with its weight in each and the prior of each. */
function conditionSums({
  calm,
  change,
  state,
}: CalmCondition): { key: string; weight: number; prior: number }[] {
  const direction = calmDirection(change);
  if (state === 'rain') return [{ key: `rain ${direction}`, weight: 1, prior: RAIN_PRIORS[direction] }];
  return levelWeights(LEVELS, calm).map(({ index, weight }) => ({
    key: `${direction} ${LEVELS[index]}`,
    weight,
    prior: PRIORS[direction][index] ?? BASE_PRIOR,
  }));
}

const calmDirection = (change: number): Direction =>
  change >= LEAST_CHANGE ? 'rising' : change <= -LEAST_CHANGE ? 'falling' : 'level';

/**
 * The probability, in 0..1 with three decimals. Thresholds are compared with this rounded value, so what is shown and
 * what is decided never differ. Missing signals take it towards the pocket's base rate, by half their share.
 */
export function calmProbability(
  { sums }: CalmOutcomes,
  condition: CalmCondition,
  completeness: number,
): number {
  const learned = conditionSums(condition).reduce(
    (sum, { key, weight, prior }) => sum + weight * shrunkShare(sums[key], prior),
    0,
  );
  const base = shrunkShare(total(Object.values(sums)), BASE_PRIOR);
  return round(base + (learned - base) * (1 - (1 - completeness) / 2));
}

/** The share of outcomes that were calm, shrunk towards the prior while they are few. */
const shrunkShare = (sum: OutcomeSum | undefined, prior: number): number =>
  ((sum?.calm ?? 0) + PRIOR_COUNT * prior) / ((sum?.n ?? 0) + PRIOR_COUNT);

const total = (sums: readonly OutcomeSum[]): OutcomeSum =>
  sums.reduce((all, { n, calm }) => ({ n: all.n + n, calm: all.calm + calm }), { n: 0, calm: 0 });
