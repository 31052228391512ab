// The keys that sign the log, as the store has them: all processes on one store must sign with the same one.
import type { Signer } from '../../ledger/key.ts';
import { keyChangeId } from '../../ledger/key-change.ts';
import { type Reader, StoreError, type Transaction } from '../engine/store.ts';

export type { KeyChange } from '../../ledger/key-change.ts';

export interface StoredKey {
  number: number;
  origin: string;
  /** Eight hex digits. */
  key_id: string;
  /** The public key as verifiers take it. */
  verifier_key: string;
  /** The entry that announces it; null for the first key. */
  leaf: number | null;
}

/** The key that signs now; undefined until the first process has used the store. */
export const currentKey = (store: Reader): Promise<StoredKey | undefined> =>
  store.get<StoredKey>(
    'select number, origin, key_id, verifier_key, leaf from ledger_keys order by number desc limit 1',
  );

/** The public key with this id, as verifiers take it. */
export const verifierKeyOf = async (store: Reader, keyId: string): Promise<string | undefined> =>
  (
    await store.get<{ verifier_key: string }>(
      'select verifier_key from ledger_keys where key_id = ? order by number desc limit 1',
      keyId,
    )
  )?.verifier_key;

/** The id of the entry that replaced a key of the log by the next one; undefined if it was never replaced. */
export async function findKeyChange(store: Reader, verifierKey: string): Promise<string | undefined> {
  const row = await store.get<{ number: number }>(
    `select number from ledger_keys where number > (select min(number) from ledger_keys where verifier_key = ?)
     order by number limit 1`,
    verifierKey,
  );
  return row && keyChangeId(row.number);
}

/** Locks the log until the transaction ends; returns its size and the time of its newest entry. */
export async function lockLog(tx: Transaction): Promise<{ size: number; writtenAt: number }> {
  const row = await tx.get<{ size: number; written_at: number }>(
    'update ledger_size set size = size where id = ? returning size, written_at',
    1,
  );
  return { size: row?.size ?? 0, writtenAt: row?.written_at ?? 0 };
}

/** Stores a key as the newest one. The caller holds the lock of the log. */
export const insertKey = (
  tx: Transaction,
  { name, keyId, verifierKey }: Signer,
  number: number,
  leaf: number | null,
): Promise<void> =>
  tx.insert<StoredKey>('ledger_keys', [
    { number, origin: name, key_id: keyId, verifier_key: verifierKey, leaf },
  ]);

/**
 * Checks under the lock that `signer` may sign, and stores its key if the log has none. The key may have been rotated
 * since the process started: it then goes on reading, and refuses to append until it is restarted with the new key.
 */
export async function claimKey(tx: Transaction, signer: Signer): Promise<void> {
  const key = await currentKey(tx);
  if (key) refuseOtherKey(key, signer);
  else await insertKey(tx, signer, 1, null);
}

/** `key`: the one that signs now, if there is one. */
export function refuseOtherKey(key: StoredKey | undefined, signer: Signer): void {
  if (!key || key.verifier_key === signer.verifierKey) return;
  const cause = new Error(
    `the ledger's key is ${key.key_id} now, this process has ${signer.keyId}: restart it with the new key`,
  );
  throw new StoreError('key_changed', { cause });
}
