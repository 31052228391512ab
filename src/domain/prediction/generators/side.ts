import { numbersAt, withNumbers } from '../../stats/number-table.ts';
import { clamp, round } from '../../stats/unit-scale.ts';
import { HOUR } from '../../time/slot.ts';
import type { ErrorType } from '../error-taxonomy.ts';
import { HIT } from '../forecast-sums.ts';
import type {
  Conditions,
  Generator,
  Observed,
  ObservedOutcome,
  OutcomeSum,
  OutcomeSums,
} from '../generator.ts';
import type { SidePayload } from '../prediction.ts';

/**
 * The smaller forecasts, sealed on the hour (docs/formulas.md, "Side forecasts"). Each expects the mean of the outcomes
 * that followed the same conditions in the same pocket, shrunk towards a prior while they are few. Two kinds are
 * forecast: chances of an event, whose outcome is 0 or 1, and levels in 0..1.
 */
export interface SideRule {
  type: string;
  kind: 'chance' | 'level';
  /** In minutes. */
  horizon: number;
  shadow: boolean;
  /** What the naive baseline expects, whatever the conditions. */
  usual: number;
  /** What outcomes are summed by, besides the three hours of the day; null when there is nothing to forecast. */
  condition(at: Conditions): string | number | null;
  /**
   * What is expected before any outcome was seen under these conditions; by default what is usual. Calm and rain last
   * longer than an hour, and outcomes of one condition in one pocket are few: a prior without the conditions would hide
   * them.
   */
  prior?(at: Conditions): number;
  /** Null where too little was observed. */
  outcome(observed: Observed): number | null;
  /** The quantity as it stood at sealing, which persistence expects; null where a moment does not have it. */
  current(at: ObservedOutcome): number | null;
  /** The cause of every miss. */
  miss: ErrorType;
}

/** From this many outcomes on (about a year of one hour a day) older ones lose weight. */
const MEMORY = 400;
/** The prior counts as this many outcomes. */
const PRIOR_COUNT = 12;

export function addOutcome(before: OutcomeSum | undefined, outcome: number): OutcomeSum {
  const { n, sum } = before ?? { n: 0, sum: 0 };
  const weight = n >= MEMORY ? (MEMORY - 1) / MEMORY : 1;
  return { n: round(n * weight + 1, 4), sum: round(sum * weight + outcome, 4) };
}

/** The sums with one more outcome under a condition. */
export function learnOutcome(sums: OutcomeSums, filedUnder: string, outcome: number): OutcomeSums {
  const { n, sum } = addOutcome(findSum(sums, filedUnder), outcome);
  return withNumbers(sums, filedUnder, [n, sum]);
}

function findSum(sums: OutcomeSums, filedUnder: string): OutcomeSum | undefined {
  const [n, sum] = numbersAt(sums, filedUnder) ?? [];
  return n === undefined || sum === undefined ? undefined : { n, sum };
}

/** The mean outcome, shrunk towards `prior` while there are few. */
export const expectedOutcome = (past: OutcomeSum | undefined, prior: number): number =>
  ((past?.sum ?? 0) + PRIOR_COUNT * prior) / ((past?.n ?? 0) + PRIOR_COUNT);

/** The key under which outcomes are summed. */
export function conditionKey({ condition }: Pick<SideRule, 'condition'>, at: Conditions): string | null {
  const own = condition(at);
  return own === null ? null : `${own} ${Math.floor(at.hour / 3)}`;
}

export const priorOutcome = ({ prior, usual }: Pick<SideRule, 'prior' | 'usual'>, at: Conditions): number =>
  prior?.(at) ?? usual;

/** Of a chance, that of the likelier side; of a level, it grows with the number of outcomes. */
export const sideConfidence = (
  { kind }: Pick<SideRule, 'kind'>,
  expected: number,
  past: OutcomeSum | undefined,
): number =>
  round(
    kind === 'chance'
      ? Math.max(expected, 1 - expected)
      : 0.9 - 0.5 * (PRIOR_COUNT / ((past?.n ?? 0) + PRIOR_COUNT)),
  );

/** An error of this much in a level scores 0. */
const LEVEL_SCALE = 0.4;

/** A chance scores what it gave to the side that came true; a level loses in proportion to its error. */
export const sideScore = ({ kind }: Pick<SideRule, 'kind'>, expected: number, outcome: number): number =>
  round(
    kind === 'chance'
      ? 1 - Math.abs(expected - outcome)
      : clamp(1 - Math.abs(expected - outcome) / LEVEL_SCALE),
  );

export type SideGenerator = Generator<SidePayload> & SideRule;

export const sideGenerator = (rule: SideRule): SideGenerator => ({
  ...rule,
  name: `${rule.type}_${rule.horizon}m`,
  every: HOUR,
  forecast: (at) => {
    const filed_under = conditionKey(rule, at);
    if (filed_under === null) return null;
    const past = findSum(at.past, filed_under);
    const expected = round(expectedOutcome(past, priorOutcome(rule, at)));
    return {
      prediction_type: rule.type,
      confidence: sideConfidence(rule, expected, past),
      forecast: { expected, filed_under },
      baseline: { expected: rule.usual },
    };
  },
  reveal: ({ forecast, baseline }, observed) => {
    const outcome = rule.outcome(observed);
    if (outcome === null) return null;
    const accuracy_score = sideScore(rule, forecast.expected, outcome);
    const persisted = observed.atSealing && rule.current(observed.atSealing);
    return {
      actual_observation: { outcome },
      accuracy_score,
      baseline_score: sideScore(rule, baseline.expected, outcome),
      persistence_score: persisted === null ? null : sideScore(rule, persisted, outcome),
      last_week_score: null,
      error_type: accuracy_score < HIT ? rule.miss : null,
    };
  },
});
