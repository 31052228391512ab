// Scores of submissions, and the reference they are compared with: what the service and the naive baseline reached on
// the same rows.
import type { ReferenceSums, Scores } from '../../domain/prediction/benchmark.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { readReceiptEntry, type SubmissionReceipt } from './accepted-submissions.ts';

export interface ScoredSubmission {
  leaf: number;
  scores: Scores;
}

/** Scores are computed before the transaction, so another worker may have written some of them: the first ones stay. */
export async function writeSubmissionScores(
  tx: Transaction,
  scored: readonly ScoredSubmission[],
  now: number,
): Promise<void> {
  await tx.insert(
    'submission_scores',
    scored.map(({ leaf, scores }) => ({ submission_leaf: leaf, scored_at: now, ...scores })),
    'on conflict (submission_leaf) do nothing',
  );
}

export async function writeBenchmarkReference(
  tx: Transaction,
  slot: number,
  reference: ReferenceSums,
  now: number,
): Promise<void> {
  await tx.insert('benchmark_references', [{ slot, scored_at: now, ...reference }]);
}

const sums = [
  'forecasts',
  'squared_error',
  'service_hits',
  'service_calm_calls',
  'service_calm_right',
  'naive_hits',
  'naive_calm_calls',
  'naive_calm_right',
] satisfies (keyof ReferenceSums)[];

/** `slot`: the last one whose forecasts are in the sums; while the pipeline catches up it is hours before `scored_at`. */
export interface Reference extends ReferenceSums {
  slot: number;
  scored_at: number;
}

/** The sums of the service and the naive baseline within a window; null when it has no scored slot. */
export async function benchmarkReferenceWithin(
  store: Reader,
  { after, until }: Window,
): Promise<Reference | null> {
  const row = await store.get<ReferenceSums & { slot: number | null; scored_at: number | null }>(
    `select max(slot) as slot, max(scored_at) as scored_at, ${sums.map((name) => `sum(${name}) as ${name}`).join(', ')}
     from benchmark_references where slot > ? and slot <= ?`,
    after,
    until,
  );
  return row?.slot == null || row.scored_at === null
    ? null
    : { ...row, slot: row.slot, scored_at: row.scored_at };
}

export interface LeaderboardRow extends Scores {
  submission_id: string;
  submitter_name: string;
  prediction_count: number;
  scored_at: number;
}

/** Scored submissions, best first; of equal ones the one sealed first. */
export const leaderboardRows = (store: Reader, limit: number): Promise<LeaderboardRow[]> =>
  store.all<LeaderboardRow>(
    `select s.id as submission_id, s.submitter_name, s.prediction_count, r.scored_at, r.scored_count, r.accuracy,
       r.silence_correctness, r.calibration_error, r.gap_vs_service, r.gap_vs_naive
     from submission_scores r join submissions s on s.leaf = r.submission_leaf
     order by r.silence_correctness desc nulls last, r.accuracy desc nulls last, s.leaf limit ?`,
    limit,
  );

export async function countScoredSubmissions(store: Reader): Promise<number> {
  const row = await store.get<{ count: number }>('select count(*) as count from submission_scores');
  return row?.count ?? 0;
}

/** Null until the submission is scored. */
type ScoresIfScored = { [Field in keyof Scores]: Scores[Field] | null } & { scored_at: number | null };

const unscored: ScoresIfScored = {
  ...{ scored_at: null, scored_count: null, accuracy: null, silence_correctness: null },
  ...{ calibration_error: null, gap_vs_service: null, gap_vs_naive: null },
};

export interface SubmissionRow extends ScoresIfScored {
  submission_id: string;
  submitter_name: string;
  prediction_count: number;
  sealed_at: number;
  window_start: number;
  window_end: number;
  items_hash: string;
  /** Null until the ledger has it, and where the entry has left the store. */
  entry: SubmissionReceipt['entry'];
}

const columns =
  'id as submission_id, submitter_name, prediction_count, sealed_at, window_start, window_end, items_hash';

/** One that is accepted, or in the ledger. */
export async function submissionById(store: Reader, id: string): Promise<SubmissionRow | undefined> {
  // It leaves these rows as it enters the others, so that these are asked first.
  const accepted = await store.get<Omit<SubmissionRow, 'entry' | keyof ScoresIfScored>>(
    `select ${columns} from accepted_submissions where id = ?`,
    id,
  );
  if (accepted) return { ...accepted, ...unscored, entry: null };
  const row = await store.get<Omit<SubmissionRow, 'entry'> & { leaf: number }>(
    `select leaf, ${columns}, r.scored_at, r.scored_count, r.accuracy, r.silence_correctness, r.calibration_error,
       r.gap_vs_service, r.gap_vs_naive
     from submissions
     left join submission_scores r on r.submission_leaf = leaf where id = ?`,
    id,
  );
  if (!row) return undefined;
  const { leaf, ...submission } = row;
  return { ...submission, entry: await readReceiptEntry(store, leaf) };
}
