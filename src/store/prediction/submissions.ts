// Submissions to the benchmark. Their contents were chosen by the submitter.
import type { BenchmarkItem, Submission, SubmissionPayload } from '../../domain/prediction/submission.ts';
import { iso } from '../../domain/time/slot.ts';
import { computeSeal } from '../../ledger/seal.ts';
import { ClockError, MAX_DIFFERENCE_MS } from '../engine/clock.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import type { LedgerLog, SealReceipt } from '../ledger/ledger-log.ts';

/**
 * Seals a submission. The ledger is public at once, so it has only a hash of the items: others could copy them while the
 * window is open. The nonce prevents guessing the items from the hash.
 *
 * `now` is when it was accepted. It is refused with a ClockError if the log's time is more than a minute from that:
 * `verify` would say that it was sealed after the fact. The log is locked by then, so nothing is written in between.
 */
export async function writeSubmission(
  tx: Transaction,
  ledger: LedgerLog,
  { submitter_name, window_start, window_end, items }: Submission,
  { id, nonce, now }: { id: string; nonce: string; now: number },
): Promise<SealReceipt> {
  const writtenAt = await ledger.writtenAt(tx);
  if (Math.abs(writtenAt - now) > MAX_DIFFERENCE_MS)
    throw new ClockError(
      `a submission of ${iso(now)} would be written at ${iso(writtenAt)}: it waited too long for the log, or the clock of this machine was set back`,
    );
  const detached = computeSeal({ nonce, predictions: items });
  const payload: SubmissionPayload = {
    type: 'submission',
    id,
    submitter_name,
    sealed_at: iso(now),
    prediction_window_start: iso(window_start),
    prediction_window_end: iso(window_end),
    prediction_count: items.length,
    detached: { hash: detached.payload_hash, bytes: Buffer.byteLength(detached.canonical) },
  };
  const [sealed] = await ledger.append(tx, 'submission', [{ id, payload }]);
  if (!sealed) throw new Error('nothing was sealed');
  await tx.insert('submissions', [
    {
      leaf: sealed.leaf,
      id,
      submitter_name,
      sealed_at: now,
      window_start,
      window_end,
      prediction_count: items.length,
      items: detached.canonical,
      items_hash: detached.payload_hash,
    },
  ]);
  return sealed;
}

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
  sealed_at: number;
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
      `select leaf, sealed_at, window_start, window_end, items from submissions where leaf in (${inClause(chunk)})`,
      ...chunk,
    );
    for (const row of rows)
      submissions.push({ ...row, items: JSON.parse(row.items).predictions as BenchmarkItem[] });
  }
  return submissions;
}
