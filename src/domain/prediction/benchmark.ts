import { isCalmState, type PrimaryState } from '../atmosphere/primary-state.ts';
import { round } from '../stats/unit-scale.ts';
import type { BenchmarkItem } from './submission.ts';

/** What was said of a pocket: its state, and how calm it would be. */
export interface Call {
  state: PrimaryState;
  calm: number;
}

/** A revealed state projection of the ledger: what the service and the naive baseline had said, and what came. */
export interface CanonicalRow {
  pocket_id: string;
  horizon_minutes: number;
  sealed_at: number;
  reveal_at: number;
  confidence: number;
  service: Call;
  naive: Call;
  seen: Call;
}

export interface Scores {
  /** How many times an item met a row. */
  scored_count: number;
  accuracy: number | null;
  silence_correctness: number | null;
  calibration_error: number | null;
  gap_vs_service: number | null;
  gap_vs_naive: number | null;
}

/** The sums that scores are made from. They add up, so that a week can be summed from its slots. */
export interface Tally {
  rows: number;
  hits: number;
  calm_calls: number;
  calm_right: number;
}

const CLOSE = 0.2;
/** 0.9 and 0.7 are 0.2 apart, whatever binary fractions make of them. */
const EXACTNESS = 1e-9;

export const isHit = (call: Call, seen: Call): boolean =>
  call.state === seen.state && Math.abs(call.calm - seen.calm) <= CLOSE + EXACTNESS;

export const emptyTally = (): Tally => ({ rows: 0, hits: 0, calm_calls: 0, calm_right: 0 });

/** Counts one call, and answers whether it was a hit. */
export function count(tally: Tally, call: Call, seen: Call): boolean {
  const hit = isHit(call, seen);
  tally.rows++;
  if (hit) tally.hits++;
  if (isCalmState(call.state)) {
    tally.calm_calls++;
    if (isCalmState(seen.state)) tally.calm_right++;
  }
  return hit;
}

/**
 * Each item is held against every row of its pocket and horizon. The service and the baseline are counted once for
 * each time an item met a row, so that whoever submits what the service said has a gap of 0.
 */
export function scoreItems(items: readonly BenchmarkItem[], rows: readonly CanonicalRow[]): Scores {
  const own = emptyTally();
  let service = 0;
  let naive = 0;
  let squared = 0;
  const of = Map.groupBy(rows, ({ pocket_id, horizon_minutes }) => `${pocket_id} ${horizon_minutes}`);
  for (const { pocket_id, horizon_minutes, predicted_state, ...item } of items) {
    const call: Call = { state: predicted_state, calm: item.predicted_calm_probability };
    for (const row of of.get(`${pocket_id} ${horizon_minutes}`) ?? []) {
      const hit = count(own, call, row.seen);
      squared += (item.confidence - Number(hit)) ** 2;
      if (isHit(row.service, row.seen)) service++;
      if (isHit(row.naive, row.seen)) naive++;
    }
  }
  return scoresOf(own, squared, { service, naive });
}

/** Nothing to average gives null. `squared` is null where no confidence was given. */
export function scoresOf(
  { rows, hits, calm_calls, calm_right }: Tally,
  squared: number | null,
  others: { service: number; naive: number },
): Scores {
  const share = (part: number | null, whole: number): number | null =>
    part === null || whole === 0 ? null : round(part / whole);
  return {
    scored_count: rows,
    accuracy: share(hits, rows),
    silence_correctness: share(calm_right, calm_calls),
    calibration_error: share(squared, rows),
    gap_vs_service: share(hits - others.service, rows),
    gap_vs_naive: share(hits - others.naive, rows),
  };
}

/** What the service and the baseline reached together over some rows. */
export interface ReferenceTally {
  forecasts: number;
  squared_error: number;
  service_hits: number;
  service_calm_calls: number;
  service_calm_right: number;
  naive_hits: number;
  naive_calm_calls: number;
  naive_calm_right: number;
}

export const noReference: ReferenceTally = {
  forecasts: 0,
  squared_error: 0,
  service_hits: 0,
  service_calm_calls: 0,
  service_calm_right: 0,
  naive_hits: 0,
  naive_calm_calls: 0,
  naive_calm_right: 0,
};

/** Adds rows to what was tallied before. */
export function tallyReference(
  rows: readonly CanonicalRow[],
  before: ReferenceTally = noReference,
): ReferenceTally {
  const service = partyOf(before, 'service');
  const naive = partyOf(before, 'naive');
  let { squared_error } = before;
  for (const row of rows) {
    squared_error += (row.confidence - Number(count(service, row.service, row.seen))) ** 2;
    count(naive, row.naive, row.seen);
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

const partyOf = (tally: ReferenceTally, party: 'service' | 'naive'): Tally => ({
  rows: tally.forecasts,
  hits: tally[`${party}_hits`],
  calm_calls: tally[`${party}_calm_calls`],
  calm_right: tally[`${party}_calm_right`],
});

/** The two rows that every submission can be read against. The baseline gives no confidence to be wrong about. */
export function referenceScores(tally: ReferenceTally): { service: Scores; naive: Scores } {
  const others = { service: tally.service_hits, naive: tally.naive_hits };
  return {
    service: scoresOf(partyOf(tally, 'service'), tally.squared_error, others),
    naive: scoresOf(partyOf(tally, 'naive'), null, others),
  };
}

/** Silence correctness, then accuracy, the larger first; what could not be scored stands last. */
export const byMerit = (
  a: Pick<Scores, 'silence_correctness' | 'accuracy'>,
  b: Pick<Scores, 'silence_correctness' | 'accuracy'>,
): number =>
  (b.silence_correctness ?? -1) - (a.silence_correctness ?? -1) || (b.accuracy ?? -1) - (a.accuracy ?? -1);
