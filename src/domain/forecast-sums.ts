import type { ErrorType } from './error-taxonomy.ts';
import type { PredictionType } from './prediction.ts';
import { round } from './scale.ts';

/** From this accuracy on a forecast counts as right. */
export const HIT = 0.5;

/** What a forecast needs to be counted in a report. */
export const BAR = { confidence: 0.68, completeness: 0.75 } as const;

/** A forecast that was revealed. */
export interface Judged {
  slot: number;
  pocket_id: string;
  generator: string;
  prediction_type: PredictionType;
  shadow: number;
  confidence: number;
  completeness: number;
  /** Null: inconclusive. */
  accuracy_score: number | null;
  baseline_score: number | null;
  error_type: ErrorType | null;
  /** The quality of the moment when it was sealed; null when there was none. */
  mqs: number | null;
}

interface Kind {
  span_start: number;
  pocket_id: string;
  generator: string;
  prediction_type: PredictionType;
  shadow: number;
}

export interface Counts {
  /** Scored or inconclusive. */
  revealed: number;
  scored: number;
  hits: number;
  baseline_hits: number;
  /** Of the scored ones, in ten-thousandths; `mqs_hits` is the MQS of the hits. */
  score: number;
  confidence: number;
  mqs: number;
  mqs_hits: number;
}

export interface ForecastSum extends Kind, Counts {
  /** The tenth of confidence, 0 to 9; BELOW_BAR for what reports leave out. */
  bucket: number;
}

export interface MissSum extends Kind {
  eligible: number;
  error_type: ErrorType;
  misses: number;
}

export const BELOW_BAR = -1;

/** Nothing that is summed is rounded finer: sums of these are the same in any order. */
const UNIT = 10_000;
const whole = (x: number): number => Math.round(x * UNIT);

export const bucketOf = ({
  confidence,
  completeness,
}: Pick<Judged, 'confidence' | 'completeness'>): number =>
  confidence >= BAR.confidence && completeness >= BAR.completeness
    ? Math.min(9, Math.floor((10 * whole(confidence)) / UNIT))
    : BELOW_BAR;

/** Adds up reveals of a kind that belong to the same span. */
export function sumReveals(
  rows: readonly Judged[],
  spanOf: (slot: number) => number,
): { sums: ForecastSum[]; misses: MissSum[] } {
  const sums = new Map<string, ForecastSum>();
  const misses = new Map<string, MissSum>();
  for (const row of rows) {
    const { pocket_id, generator, prediction_type, shadow, error_type } = row;
    const kind = { span_start: spanOf(row.slot), pocket_id, generator, prediction_type, shadow };
    const bucket = bucketOf(row);
    const name = `${kind.span_start} ${pocket_id} ${generator} ${shadow}`;
    const key = `${name} ${bucket}`;
    let sum = sums.get(key);
    if (!sum) {
      sum = { ...kind, bucket, ...nothing };
      sums.set(key, sum);
    }
    add(sum, countsOf(row));
    if (error_type === null) continue;
    const eligible = bucket === BELOW_BAR ? 0 : 1;
    const cause = `${name} ${eligible} ${error_type}`;
    const counted = misses.get(cause);
    if (counted) counted.misses += 1;
    else misses.set(cause, { ...kind, eligible, error_type, misses: 1 });
  }
  return { sums: [...sums.values()], misses: [...misses.values()] };
}

export const nothing: Counts = {
  revealed: 0,
  scored: 0,
  hits: 0,
  score: 0,
  baseline_hits: 0,
  confidence: 0,
  mqs: 0,
  mqs_hits: 0,
};

const inconclusive: Counts = { ...nothing, revealed: 1 };

function countsOf({ accuracy_score, baseline_score, confidence, mqs }: Judged): Counts {
  if (accuracy_score === null) return inconclusive;
  const hit = accuracy_score >= HIT ? 1 : 0;
  const weight = whole(mqs ?? 0);
  return {
    revealed: 1,
    scored: 1,
    hits: hit,
    score: whole(accuracy_score),
    baseline_hits: (baseline_score ?? 0) >= HIT ? 1 : 0,
    confidence: whole(confidence),
    mqs: weight,
    mqs_hits: weight * hit,
  };
}

function add(to: Counts, from: Counts): void {
  to.revealed += from.revealed;
  to.scored += from.scored;
  to.hits += from.hits;
  to.score += from.score;
  to.baseline_hits += from.baseline_hits;
  to.confidence += from.confidence;
  to.mqs += from.mqs;
  to.mqs_hits += from.mqs_hits;
}

/** The mean of something that was summed; null when there is nothing to average. */
export const meanOf = (sum: number, count: number): number | null =>
  count > 0 ? round(sum / UNIT / count) : null;

/** A share of counts; null when there is nothing to divide. */
export const shareOf = (part: number, whole: number): number | null =>
  whole > 0 ? round(part / whole) : null;

export function totalOf(sums: readonly Counts[]): Counts {
  const total = { ...nothing };
  for (const sum of sums) add(total, sum);
  return total;
}
