import { isCalmState, type PrimaryState } from '../atmosphere/primary-state.ts';
import { round } from '../stats/unit-scale.ts';
import type { BenchmarkItem } from './submission.ts';

/** Scoring of submitted forecasts against the ledger (docs/formulas.md, "Benchmark"). */

/** The state of a pocket and its calm, 0..1, as forecast or as observed. */
export interface StateAndCalm {
  state: PrimaryState;
  calm: number;
}

/**
 * A revealed state projection of the ledger: the forecasts of the service and of the naive baseline, and the outcome.
 */
export interface CanonicalRow {
  pocket_id: string;
  horizon_minutes: number;
  sealed_at: number;
  reveal_at: number;
  confidence: number;
  service: StateAndCalm;
  naive: StateAndCalm;
  observed: StateAndCalm;
}

export interface Scores {
  /** How many pairs of an item and a row were scored. */
  scored_count: number;
  accuracy: number | null;
  silence_correctness: number | null;
  calibration_error: number | null;
  gap_vs_service: number | null;
  gap_vs_naive: number | null;
}

/** The counts that scores are made from. They are additive, so that a week is the sum of its slots. */
export interface HitCounts {
  rows: number;
  hits: number;
  /** Forecasts of a calm state, and those of them whose observed state was calm. */
  calm_calls: number;
  calm_right: number;
}

/** Settled for the benchmark: a hit has the right state and a calm within this of the observed one. */
const MAX_CALM_ERROR = 0.2;
/** 0.9 − 0.7 must count as 0.2, which it is not in binary floating point. */
const ROUNDING = 1e-9;

export const isHit = (forecast: StateAndCalm, observed: StateAndCalm): boolean =>
  forecast.state === observed.state && Math.abs(forecast.calm - observed.calm) <= MAX_CALM_ERROR + ROUNDING;

const newHitCounts = (): HitCounts => ({ rows: 0, hits: 0, calm_calls: 0, calm_right: 0 });

/** Counts one forecast, and returns whether it was a hit. */
function countForecast(counts: HitCounts, forecast: StateAndCalm, observed: StateAndCalm): boolean {
  const hit = isHit(forecast, observed);
  counts.rows++;
  if (hit) counts.hits++;
  if (isCalmState(forecast.state)) {
    counts.calm_calls++;
    if (isCalmState(observed.state)) counts.calm_right++;
  }
  return hit;
}

/** What items have reached on rows. Additive, so that a submission can be scored pocket by pocket. */
export interface Tally {
  own: HitCounts;
  squaredError: number;
  /** Hits of the service and of the baseline, counted once for each pair of an item and a row. */
  service: number;
  naive: number;
}

export const emptyTally: Tally = { own: newHitCounts(), squaredError: 0, service: 0, naive: 0 };

/**
 * Adds items to the tally before them. Each is scored against every row of its pocket and horizon. The service and the
 * baseline are counted once for each such pair, so that submitting exactly the service's forecasts gives a gap of 0. The
 * rows are summed up first, so that an item costs two binary searches however many rows it meets: a submission has a
 * thousand items, a week hundreds of rows.
 */
export function tallyItems(
  items: readonly BenchmarkItem[],
  rows: readonly CanonicalRow[],
  before: Tally = emptyTally,
): Tally {
  const own = { ...before.own };
  let { squaredError, service, naive } = before;
  const outcomesOf = new Map(
    [...Map.groupBy(rows, rowKey)].map(([key, group]) => [key, sumOutcomes(group)] as const),
  );
  for (const item of items) {
    const outcomes = outcomesOf.get(rowKey(item));
    if (!outcomes) continue;
    const hits = countHits(item, outcomes);
    own.rows += outcomes.rows;
    own.hits += hits;
    if (isCalmState(item.predicted_state)) {
      own.calm_calls += outcomes.rows;
      own.calm_right += outcomes.calm;
    }
    squaredError += hits * (item.confidence - 1) ** 2 + (outcomes.rows - hits) * item.confidence ** 2;
    service += outcomes.service;
    naive += outcomes.naive;
  }
  return { own, squaredError, service, naive };
}

export const scoresOfTally = ({ own, squaredError, ...others }: Tally): Scores =>
  benchmarkScores(own, squaredError, others);

const rowKey = ({
  pocket_id,
  horizon_minutes,
}: Pick<CanonicalRow, 'pocket_id' | 'horizon_minutes'>): string => `${pocket_id} ${horizon_minutes}`;

/** What the rows of one pocket and horizon add up to. */
interface Outcomes {
  rows: number;
  /** Rows whose observed state was calm. */
  calm: number;
  /** Hits of the service and of the baseline. */
  service: number;
  naive: number;
  /** The calm that was observed in each state, in ascending order. */
  calmIn: Map<PrimaryState, number[]>;
}

function sumOutcomes(rows: readonly CanonicalRow[]): Outcomes {
  const calmIn = new Map(
    [...Map.groupBy(rows, ({ observed }) => observed.state)].map(([state, group]) => [
      state,
      group.map(({ observed }) => observed.calm).sort((a, b) => a - b),
    ]),
  );
  return {
    rows: rows.length,
    calm: rows.filter(({ observed }) => isCalmState(observed.state)).length,
    service: rows.filter(({ service, observed }) => isHit(service, observed)).length,
    naive: rows.filter(({ naive, observed }) => isHit(naive, observed)).length,
    calmIn,
  };
}

/** Of the rows in the state that the item called, those whose calm is near enough to the one that it called. */
function countHits(
  { predicted_state, predicted_calm_probability: calm }: BenchmarkItem,
  { calmIn }: Outcomes,
) {
  const levels = calmIn.get(predicted_state) ?? [];
  const near = MAX_CALM_ERROR + ROUNDING;
  const from = firstIndex(levels, (level) => calm - level <= near);
  return firstIndex(levels, (level) => level - calm > near) - from;
}

/** The first index that fits, where all after it fit too; the length when none does. */
function firstIndex(sorted: readonly number[], fits: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(sorted[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** An average of nothing is null. `squaredError` is the sum over confidences; null where there are none. */
export function benchmarkScores(
  { rows, hits, calm_calls, calm_right }: HitCounts,
  squaredError: number | null,
  others: { service: number; naive: number },
): Scores {
  const share = (part: number | null, whole: number): number | null =>
    part === null || whole === 0 ? null : round(part / whole);
  return {
    scored_count: rows,
    accuracy: share(hits, rows),
    silence_correctness: share(calm_right, calm_calls),
    calibration_error: share(squaredError, rows),
    gap_vs_service: share(hits - others.service, rows),
    gap_vs_naive: share(hits - others.naive, rows),
  };
}

/** The counts of the service and of the baseline over the same rows; the names are columns of the store. */
export interface ReferenceSums {
  forecasts: number;
  squared_error: number;
  service_hits: number;
  service_calm_calls: number;
  service_calm_right: number;
  naive_hits: number;
  naive_calm_calls: number;
  naive_calm_right: number;
}

export const emptyReference: ReferenceSums = {
  forecasts: 0,
  squared_error: 0,
  service_hits: 0,
  service_calm_calls: 0,
  service_calm_right: 0,
  naive_hits: 0,
  naive_calm_calls: 0,
  naive_calm_right: 0,
};

/** Adds rows to the sums before them. */
export function addToReference(
  rows: readonly CanonicalRow[],
  before: ReferenceSums = emptyReference,
): ReferenceSums {
  const service = referenceHitCounts(before, 'service');
  const naive = referenceHitCounts(before, 'naive');
  let { squared_error } = before;
  for (const row of rows) {
    squared_error += (row.confidence - Number(countForecast(service, row.service, row.observed))) ** 2;
    countForecast(naive, row.naive, row.observed);
  }
  return {
    forecasts: service.rows,
    squared_error,
    service_hits: service.hits,
    service_calm_calls: service.calm_calls,
    service_calm_right: service.calm_right,
    naive_hits: naive.hits,
    naive_calm_calls: naive.calm_calls,
    naive_calm_right: naive.calm_right,
  };
}

const referenceHitCounts = (sums: ReferenceSums, source: 'service' | 'naive'): HitCounts => ({
  rows: sums.forecasts,
  hits: sums[`${source}_hits`],
  calm_calls: sums[`${source}_calm_calls`],
  calm_right: sums[`${source}_calm_right`],
});

/** The two reference rows of the leaderboard. The baseline has no confidence, so no calibration error. */
export function referenceScores(sums: ReferenceSums): { service: Scores; naive: Scores } {
  const others = { service: sums.service_hits, naive: sums.naive_hits };
  return {
    service: benchmarkScores(referenceHitCounts(sums, 'service'), sums.squared_error, others),
    naive: benchmarkScores(referenceHitCounts(sums, 'naive'), null, others),
  };
}

/** For sorting: by silence correctness, then accuracy, the larger first and nulls last. */
export const compareScores = (
  a: Pick<Scores, 'silence_correctness' | 'accuracy'>,
  b: Pick<Scores, 'silence_correctness' | 'accuracy'>,
): number =>
  (b.silence_correctness ?? -1) - (a.silence_correctness ?? -1) || (b.accuracy ?? -1) - (a.accuracy ?? -1);
