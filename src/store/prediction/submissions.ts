// Submissions to the benchmark that are in the ledger. Their contents were chosen by the submitter.
import type { BenchmarkItem } from '../../domain/prediction/submission.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader } from '../engine/store.ts';

/**
 * The items that hash to `hash`, as the canonical text that was hashed; undefined while their window is open. `now` is the
 * store's time: items that a fast clock published early could be copied by others.
 */
export async function publishedSubmissionItems(
  store: Reader,
  hash: string,
  now: number,
): Promise<string | undefined> {
  const row = await store.get<{ items: string }>(
    'select items from submissions where items_hash = ? and window_end <= ?',
    hash,
    now,
  );
  return row?.items;
}

/** How far a log has been published: its size, and the time up to which windows had closed. */
export interface PublishedUntil {
  size: number;
  time: number;
}

/** The hashes of the items that are public as of one state of the log and were not as of an earlier one. */
export async function newlyPublishedItems(
  store: Reader,
  earlier: PublishedUntil,
  { size, time }: PublishedUntil,
): Promise<string[]> {
  const rows = await store.all<{ items_hash: string }>(
    `select items_hash from submissions where window_end > ? and window_end <= ? and leaf < ?
     union
     select items_hash from submissions where leaf >= ? and leaf < ? and window_end <= ?`,
    earlier.time,
    time,
    size,
    earlier.size,
    size,
    time,
  );
  return rows.map(({ items_hash }) => items_hash);
}

export interface SealedSubmission {
  leaf: number;
  /** Forecasts that were sealed earlier are not compared with it. */
  scored_from: number;
  window_start: number;
  window_end: number;
  items: BenchmarkItem[];
}

/** How much is scored in one step. Clients choose how many submissions there are, and how many items each has. */
export interface StepBounds {
  submissions: number;
  items: number;
}

/**
 * Submissions whose window had closed by `slot` and that have no scores yet, earliest window first. The first is returned
 * however many items it has, so that every step gets further.
 */
export async function unscoredSubmissions(
  store: Reader,
  slot: number,
  bounds: StepBounds,
): Promise<SealedSubmission[]> {
  const closed = await store.all<{ leaf: number; prediction_count: number }>(
    `select leaf, prediction_count from submissions s
     where window_end <= ? and not exists (select 1 from submission_scores r where r.submission_leaf = s.leaf)
     order by window_end, leaf limit ?`,
    slot,
    bounds.submissions,
  );
  const leaves: number[] = [];
  let items = 0;
  for (const { leaf, prediction_count } of closed) {
    items += prediction_count;
    if (items > bounds.items && leaves.length) break;
    leaves.push(leaf);
  }
  const submissions: SealedSubmission[] = [];
  for (const chunk of inClauseChunks(leaves)) {
    const rows = await store.all<Omit<SealedSubmission, 'items'> & { items: string }>(
      `select leaf, coalesce(scored_from, sealed_at) as scored_from, window_start, window_end, items
       from submissions where leaf in (${inClause(chunk)})`,
      ...chunk,
    );
    for (const row of rows)
      submissions.push({ ...row, items: JSON.parse(row.items).predictions as BenchmarkItem[] });
  }
  return submissions;
}
