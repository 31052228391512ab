// Changes the key of the log: the change is an entry, and the new key signs the checkpoint over it and all later ones.

import type { Signer } from '../../ledger/key.ts';
import { keyChange } from '../../ledger/key-change.ts';
import type { Transaction } from '../engine/store.ts';
import { rewrapSecret } from '../prediction/submission-secret.ts';
import { currentKey, insertKey, lockLog, type StoredKey } from './ledger-keys.ts';
import { LedgerLog, type SealReceipt } from './ledger-log.ts';
import { LogTree } from './log-tree.ts';

export interface KeyRotation {
  /** The key that the caller has found in force. */
  stored: StoredKey;
  /** Undefined if the private key was lost. */
  old: Signer | undefined;
  next: Signer;
}

/** Undefined if another process has changed the key in the meantime; then nothing is written. */
export async function rotateKey(
  tx: Transaction,
  { stored, old, next }: KeyRotation,
): Promise<SealReceipt | undefined> {
  const { size } = await lockLog(tx);
  if ((await currentKey(tx))?.number !== stored.number) return undefined;
  const number = stored.number + 1;
  await insertKey(tx, next, number, size);
  await rewrapSecret(tx, old, next);
  const ledger = new LedgerLog(new LogTree(next));
  const payload = keyChange(number, old ?? stored.verifier_key, next);
  const [receipt] = await ledger.append(tx, 'key', [{ id: payload.id, payload }]);
  await ledger.write(tx);
  return receipt;
}
