// Idempotency keys of submissions: one that is sent again within a day gets the answer of the first. They are kept
// beside the log, and only as keyed hashes, since a key may be made from a client's address.
import { createHmac } from 'node:crypto';
import type { Submission } from '../../domain/prediction/submission.ts';
import { DAY } from '../../domain/time/slot.ts';
import { canonicalJson } from '../../ledger/canonical-json.ts';
import type { Signer } from '../../ledger/key.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import type { LedgerLog, SealReceipt } from '../ledger/ledger-log.ts';
import { writeSubmission } from './submissions.ts';

export type KeyedHash = (text: string) => string;

/**
 * There are few enough IPv4 addresses to try them all against a plain hash, so the hash has a secret. It is derived from
 * the ledger's key, which every process of a service has.
 */
export function keyedHash(signer: Pick<Signer, 'sign'>): KeyedHash {
  const secret = signer.sign('pocketwatch: secret of submission keys');
  return (text) => createHmac('sha256', secret).update(text).digest('hex');
}

export interface SubmissionKey {
  key: string;
  /** Of what is submitted, without who sent it: tells whether a key is used again for something else. */
  content: string;
}

/** What is sealed of the arguments: two submissions are the same if these texts are. */
export const submissionText = (submission: Submission): string => canonicalJson(submission);

/** A key that the client chose is the same from every address; otherwise the key is the text with the address. */
export function submissionKey(
  hash: KeyedHash,
  text: string,
  { address, idempotencyKey }: { address: string; idempotencyKey?: string },
): SubmissionKey {
  const identity = idempotencyKey === undefined ? ['text', address, text] : ['header', idempotencyKey];
  return { key: hash(JSON.stringify(identity)), content: hash(JSON.stringify(['content', text])) };
}

export type KeyedReceipt = Pick<SealReceipt, 'id' | 'payload_hash'> & Pick<SubmissionKey, 'content'>;

/** What was sealed under a key within the last day. */
export const sealedUnderKey = (
  store: Reader,
  { key }: SubmissionKey,
  now: number,
): Promise<KeyedReceipt | undefined> =>
  store.get(
    `select k.content, s.id, e.payload_hash from submission_keys k
     join submissions s on s.id = k.submission_id join ledger_entries e on e.leaf = s.leaf
     where k.key = ? and k.sent_at > ?`,
    key,
    now - DAY,
  );

/**
 * Seals a submission unless its key has sealed one. The key is inserted first: a second transaction with the same key
 * waits there until this one has committed or rolled back. Keys are locked before the log, so no two can deadlock.
 */
export async function writeSubmissionOnce(
  tx: Transaction,
  ledger: LedgerLog,
  submission: Submission,
  { key, content }: SubmissionKey,
  sealing: { id: string; nonce: string; now: number },
): Promise<KeyedReceipt> {
  const { id, now } = sealing;
  await tx.run('delete from submission_keys where sent_at <= ?', now - DAY);
  const row = { key, content, submission_id: id, sent_at: now };
  await tx.insert('submission_keys', [row], 'on conflict (key) do nothing');
  const first = await sealedUnderKey(tx, { key, content }, now);
  if (first) return first;
  const { payload_hash } = await writeSubmission(tx, ledger, submission, sealing);
  return { id, payload_hash, content };
}
