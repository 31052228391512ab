import type { Submission } from '../../../src/domain/prediction/submission.ts';
import type { Transaction } from '../../../src/store/engine/store.ts';
import type { LedgerLog } from '../../../src/store/ledger/ledger-log.ts';
import { acceptSubmission, appendAccepted } from '../../../src/store/prediction/accepted-submissions.ts';

/** Accepts a submission at `now` and appends it in the same transaction; returns its leaf. */
export async function sealSubmission(
  tx: Transaction,
  ledger: LedgerLog,
  submission: Submission,
  { id, nonce, now }: { id: string; nonce: string; now: number },
): Promise<number> {
  await acceptSubmission(tx, submission, { id, nonce, at: now });
  await appendAccepted(tx, ledger);
  const sealed = await tx.get<{ leaf: number }>('select leaf from submissions where id = ?', id);
  if (!sealed) throw new Error(`${id} was accepted and not sealed`);
  return sealed.leaf;
}
