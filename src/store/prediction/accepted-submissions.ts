// Submissions between their acceptance and the ledger. Each is accepted by a transaction of its own, which waits for nobody
// who appends to the log; whoever appends next takes it (docs/decisions/097-submissions-are-accepted-first.md).
import {
  isWrittenLate,
  type Submission,
  type SubmissionPayload,
  WRITTEN_WITHIN,
} from '../../domain/prediction/submission.ts';
import type { Written } from '../../domain/prediction/written.ts';
import { iso } from '../../domain/time/slot.ts';
import { computeSeal } from '../../ledger/seal.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { firstKeptLeaf } from '../ledger/archived.ts';
import { readEntries } from '../ledger/entries.ts';
import type { LedgerLog } from '../ledger/ledger-log.ts';

interface AcceptedRow {
  id: string;
  submitter_name: string;
  sealed_at: number;
  window_start: number;
  window_end: number;
  prediction_count: number;
  items: string;
  items_hash: string;
  items_bytes: number;
}

export interface Accepting {
  id: string;
  /** Keeps others from guessing the items from their hash. */
  nonce: string;
  /** The store's time. */
  at: number;
}

export async function acceptSubmission(
  tx: Transaction,
  { submitter_name, window_start, window_end, items }: Submission,
  { id, nonce, at }: Accepting,
): Promise<void> {
  const { canonical, payload_hash } = computeSeal({ nonce, predictions: items });
  await tx.insert<AcceptedRow>('accepted_submissions', [
    {
      ...{ id, submitter_name, sealed_at: at, window_start, window_end, prediction_count: items.length },
      ...{ items: canonical, items_hash: payload_hash, items_bytes: Buffer.byteLength(canonical) },
    },
  ]);
}

export const isAnyAccepted = async (store: Reader): Promise<boolean> =>
  (await store.get('select 1 from accepted_submissions limit 1')) !== undefined;

/** In one transaction; those after them are appended by the next one. */
const MOST_AT_ONCE = 200;

/**
 * Appends what was accepted, in the order of its acceptance. The ledger is public at once, so it has only a hash of the
 * items: others could copy them while the window is open. One that was accepted by a clock that has been set back since
 * waits until its time has come again: an entry is not written before it was sealed.
 */
export async function appendAccepted(tx: Transaction, ledger: LedgerLog): Promise<void> {
  if (!(await isAnyAccepted(tx))) return;
  const writtenAt = await ledger.writtenAt(tx);
  const accepted = await tx.all<Omit<AcceptedRow, 'items'>>(
    `select id, submitter_name, sealed_at, window_start, window_end, prediction_count, items_hash, items_bytes
     from accepted_submissions where sealed_at <= ? order by sealed_at, id limit ?`,
    writtenAt + WRITTEN_WITHIN,
    MOST_AT_ONCE,
  );
  const sealed = await ledger.append(
    tx,
    'submission',
    accepted.map((row) => ({ id: row.id, payload: payloadOf(row, writtenAt) })),
  );
  for (const [n, { id, sealed_at }] of accepted.entries()) {
    await tx.run(
      `insert into submissions (leaf, id, submitter_name, sealed_at, window_start, window_end, prediction_count, items,
         items_hash, scored_from)
       select cast(? as bigint), id, submitter_name, sealed_at, window_start, window_end, prediction_count, items,
         items_hash, cast(? as bigint)
       from accepted_submissions where id = ?`,
      sealed[n]?.leaf ?? -1,
      isWrittenLate(sealed_at, writtenAt) ? writtenAt : null,
      id,
    );
    await tx.run('delete from accepted_submissions where id = ?', id);
  }
}

const payloadOf = (row: Omit<AcceptedRow, 'items'>, writtenAt: number): SubmissionPayload => ({
  type: 'submission',
  id: row.id,
  submitter_name: row.submitter_name,
  sealed_at: iso(row.sealed_at),
  prediction_window_start: iso(row.window_start),
  prediction_window_end: iso(row.window_end),
  prediction_count: row.prediction_count,
  detached: { hash: row.items_hash, bytes: row.items_bytes },
  ...(isWrittenLate(row.sealed_at, writtenAt) && { written_late: true }),
});

/** What is told of a submission to the one who sent it. */
export interface SubmissionReceipt {
  id: string;
  /** When it was accepted. */
  sealed_at: number;
  /** What the ledger has of it; null until then, and where the entry has left the store. */
  entry: { payload_hash: string; written_at: string } | null;
}

export async function findReceipt(store: Reader, id: string): Promise<SubmissionReceipt | undefined> {
  // It leaves these rows as it enters the others, so that these are asked first.
  const accepted = await store.get<{ sealed_at: number }>(
    'select sealed_at from accepted_submissions where id = ?',
    id,
  );
  if (accepted) return { id, ...accepted, entry: null };
  const sealed = await store.get<{ leaf: number; sealed_at: number }>(
    'select leaf, sealed_at from submissions where id = ?',
    id,
  );
  return sealed && { id, sealed_at: sealed.sealed_at, entry: await readReceiptEntry(store, sealed.leaf) };
}

export async function readReceiptEntry(store: Reader, leaf: number): Promise<SubmissionReceipt['entry']> {
  if (leaf < (await firstKeptLeaf(store))) return null;
  const { payload_hash, payload } = (await readEntries(store, [leaf]))(leaf);
  return { payload_hash, written_at: (JSON.parse(payload) as Written).written_at };
}
