import type { ErrorType } from '../prediction/error-taxonomy.ts';
import type { PredictionType } from '../prediction/prediction.ts';
import { round } from './unit-scale.ts';

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

type Kind = Pick<Judged, 'pocket_id' | 'generator' | 'prediction_type' | 'shadow'>;

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
  /** 0 for what reports leave out. */
  eligible: number;
  error_type: ErrorType;
  misses: number;
}

export interface RevealSums {
  sums: ForecastSum[];
  misses: MissSum[];
}

export const BELOW_BAR = -1;

/** Nothing that is summed is rounded finer: sums of whole numbers are the same in any order. */
const UNIT = 10_000;
const whole = (x: number): number => Math.round(x * UNIT);

export const bucketOf = ({
  confidence,
  completeness,
}: Pick<Judged, 'confidence' | 'completeness'>): number =>
  confidence >= BAR.confidence && completeness >= BAR.completeness
    ? Math.min(9, Math.floor((10 * whole(confidence)) / UNIT))
    : BELOW_BAR;

/** Adds up reveals: those of one kind become one sum. */
export function sumReveals(judged: readonly Judged[]): RevealSums {
  const tally = newTallying();
  for (const row of judged) {
    const bucket = bucketOf(row);
    tally.add(row, bucket, countsOf(row));
    if (row.error_type !== null) tally.miss(row, bucket === BELOW_BAR ? 0 : 1, row.error_type, 1);
  }
  return tally.done();
}

/** Adds up what was added up before. */
export function mergeSums(tallies: readonly RevealSums[]): RevealSums {
  const tally = newTallying();
  for (const { sums, misses } of tallies) {
    for (const sum of sums) tally.add(sum, sum.bucket, sum);
    for (const miss of misses) tally.miss(miss, miss.eligible, miss.error_type, miss.misses);
  }
  return tally.done();
}

function newTallying() {
  const sums = new Map<string, ForecastSum>();
  const misses = new Map<string, MissSum>();
  return {
    add: (kind: Kind, bucket: number, counts: Counts) => {
      const key = `${kind.pocket_id} ${kind.generator} ${kind.shadow} ${bucket}`;
      let sum = sums.get(key);
      if (!sum) {
        sum = { ...kindOf(kind), bucket, ...nothing };
        sums.set(key, sum);
      }
      add(sum, counts);
    },
    miss: (kind: Kind, eligible: number, error_type: ErrorType, count: number) => {
      const key = `${kind.pocket_id} ${kind.generator} ${kind.shadow} ${eligible} ${error_type}`;
      const miss = misses.get(key);
      if (miss) miss.misses += count;
      else misses.set(key, { ...kindOf(kind), eligible, error_type, misses: count });
    },
    // By kind: the same reveals give the same sums, in whatever order they came.
    done: (): RevealSums => ({ sums: inOrder(sums), misses: inOrder(misses) }),
  };
}

const inOrder = <T>(kinds: ReadonlyMap<string, T>): T[] =>
  [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);

const kindOf = ({ pocket_id, generator, prediction_type, shadow }: Kind): Kind => ({
  pocket_id,
  generator,
  prediction_type,
  shadow,
});

const nothing: Counts = {
  revealed: 0,
  scored: 0,
  hits: 0,
  baseline_hits: 0,
  score: 0,
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
    baseline_hits: (baseline_score ?? 0) >= HIT ? 1 : 0,
    score: whole(accuracy_score),
    confidence: whole(confidence),
    mqs: weight,
    mqs_hits: weight * hit,
  };
}

function add(to: Counts, from: Counts): void {
  to.revealed += from.revealed;
  to.scored += from.scored;
  to.hits += from.hits;
  to.baseline_hits += from.baseline_hits;
  to.score += from.score;
  to.confidence += from.confidence;
  to.mqs += from.mqs;
  to.mqs_hits += from.mqs_hits;
}

export function totalOf(sums: readonly Counts[]): Counts {
  const total = { ...nothing };
  for (const sum of sums) add(total, sum);
  return total;
}

/** The mean of something summed in ten-thousandths; null when there is nothing to average. */
export const meanOf = (sum: number, count: number): number | null =>
  count > 0 ? round(sum / UNIT / count) : null;

export const shareOf = (part: number, total: number): number | null =>
  total > 0 ? round(part / total) : null;
