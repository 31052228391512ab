// Idempotency keys of submissions: one that is sent again within a day gets the answer of the first. They are kept
// beside the log, and only as hashes with a secret, since they are made from clients' addresses.
import type { Submission } from '../../domain/prediction/submission.ts';
import { DAY } from '../../domain/time/slot.ts';
import { canonicalJson } from '../../ledger/canonical-json.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import {
  type Accepting,
  acceptSubmission,
  findReceipt,
  type SubmissionReceipt,
} from './accepted-submissions.ts';
import type { KeyedHash } from './submission-secret.ts';

/** Under what a submission is found again. */
export interface SubmissionKey {
  /** Of what is submitted: with the key that the client chose, from any address; else with the address. */
  content: string;
  /** Of the chosen key and the address: tells whether that address used the key for something else. */
  sender?: string;
}

/** What is sealed of the arguments: two submissions are the same if these texts are. */
export const submissionText = (submission: Submission): string => canonicalJson(submission);

/**
 * A client that retries through another network has the same key and text, and another address. Two clients may choose
 * the same key by accident: they have different addresses and texts.
 */
export function submissionKey(
  hash: KeyedHash,
  text: string,
  { address, idempotencyKey }: { address: string; idempotencyKey?: string },
): SubmissionKey {
  const partsHash = (...parts: string[]): string => hash(JSON.stringify(parts));
  if (idempotencyKey === undefined) return { content: partsHash('text', address, text) };
  return {
    content: partsHash('header', idempotencyKey, text),
    sender: partsHash('sender', idempotencyKey, address),
  };
}

/** The sender has used the key for another submission. */
export class KeyConflict extends Error {
  override name = 'KeyConflict';
  constructor() {
    super('the key was used for another submission');
  }
}

interface KeyRow {
  key: string;
  submission_id: string;
  sent_at: number;
}

const columns = 'key, submission_id, sent_at';

const findKeyRow = (store: Reader, key: string, now: number): Promise<KeyRow | undefined> =>
  store.get<KeyRow>(`select ${columns} from submission_keys where key = ? and sent_at > ?`, key, now - DAY);

/**
 * What was accepted under a key within the last day. `isNewSender`: from other addresses only, and `recordSender` has to
 * note that this one has used the key too.
 */
export async function findAccepted(
  store: Reader,
  { content, sender }: SubmissionKey,
  now: number,
): Promise<(SubmissionReceipt & { isNewSender: boolean }) | undefined> {
  // Both by one statement: another request with this key may commit them between two.
  const rows = await store.all<KeyRow>(
    `select ${columns} from submission_keys where key in (?, ?) and sent_at > ?`,
    content,
    sender ?? content,
    now - DAY,
  );
  const known = rows.find(({ key }) => key === content);
  const used = rows.find(({ key }) => key === (sender ?? content));
  refuseOther(used, known);
  const receipt = known && (await findReceipt(store, known.submission_id));
  return receipt && { ...receipt, isNewSender: !used };
}

/** Notes that the sender has used the key for what was accepted under it. */
export async function recordSender(
  tx: Transaction,
  { content, sender }: SubmissionKey,
  now: number,
): Promise<void> {
  const known = await findKeyRow(tx, content, now);
  // The row ends with the one that it stands beside: from then on the same contents are another submission.
  if (known && sender !== undefined) refuseOther(await rowOrInserted(tx, { ...known, key: sender }), known);
}

/**
 * Accepts a submission unless one was accepted under its key, and returns the id of what now is. The key is inserted first:
 * a second transaction with the same key waits there until this one has committed or rolled back. A sender is locked
 * before contents, so no two can deadlock.
 */
export async function acceptSubmissionOnce(
  tx: Transaction,
  submission: Submission,
  { content, sender }: SubmissionKey,
  accepting: Accepting,
): Promise<string> {
  const { id, at } = accepting;
  await tx.run('delete from submission_keys where sent_at <= ?', at - DAY);
  const row = { submission_id: id, sent_at: at };
  const used = sender === undefined ? undefined : await rowOrInserted(tx, { key: sender, ...row });
  if (used && used.submission_id !== id) refuseOther(used, await findKeyRow(tx, content, at));
  const known = await rowOrInserted(tx, { key: content, ...row });
  const first = known.submission_id === id ? undefined : await findReceipt(tx, known.submission_id);
  if (!first) {
    await acceptSubmission(tx, submission, accepting);
    return id;
  }
  // Another address was first: its submission is the sender's too.
  if (used?.submission_id === id) {
    await tx.run('delete from submission_keys where key = ?', used.key);
    await recordSender(tx, { content, ...(sender !== undefined && { sender }) }, at);
  }
  return first.id;
}

function refuseOther(used: KeyRow | undefined, known: KeyRow | undefined): void {
  if (used && used.submission_id !== known?.submission_id) throw new KeyConflict();
}

/** The row of a key: the one that was there, or this one. */
async function rowOrInserted(tx: Transaction, row: KeyRow): Promise<KeyRow> {
  await tx.insert('submission_keys', [row], 'on conflict (key) do nothing');
  return (await tx.get<KeyRow>(`select ${columns} from submission_keys where key = ?`, row.key)) ?? row;
}
