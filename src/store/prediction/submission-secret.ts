// The secret of the hashes that idempotency keys are kept as. It is made once and outlives the ledger's key: the store
// has it encrypted with that key, and a change of the key encrypts it anew. Whoever has a copy of the store, without the
// private key, cannot try addresses against the hashes.
import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto';
import type { Signer } from '../../ledger/key.ts';
import type { Reader, Store, Transaction } from '../engine/store.ts';
import { lockLog } from '../ledger/ledger-keys.ts';

/** A hash that only this service can compute. */
export type KeyedHash = (text: string) => string;

const CIPHER = 'aes-256-gcm';
const [SECRET_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];

/** The hash of the store's secret; the first process makes it. */
export async function keyedHash(store: Store, signer: Signer): Promise<KeyedHash> {
  const secret =
    (await readSecret(store, signer)) ?? (await store.transaction((tx) => newSecret(tx, signer)));
  return (text) => createHmac('sha256', secret).update(text).digest('hex');
}

/** Under the lock of the log, so that of two processes one makes the secret, and none while the key is changed. */
async function newSecret(tx: Transaction, signer: Signer): Promise<Buffer> {
  await lockLog(tx);
  const made = await readSecret(tx, signer);
  if (made) return made;
  const secret = randomBytes(SECRET_BYTES);
  await putSecret(tx, secret, signer);
  return secret;
}

/** In the transaction that changes the ledger's key. `old` is undefined if that key is lost, and the secret with it. */
export async function rewrapSecret(tx: Transaction, old: Signer | undefined, next: Signer): Promise<void> {
  const secret = old && (await readSecret(tx, old));
  if (secret) await putSecret(tx, secret, next);
}

/** Undefined where there is none, and where it was encrypted with another key: it is lost with that key. */
async function readSecret(store: Reader, signer: Signer): Promise<Buffer | undefined> {
  const row = await store.get<{ encrypted: string }>(
    'select encrypted from submission_secret where key_id = ?',
    signer.keyId,
  );
  return row && decrypt(Buffer.from(row.encrypted, 'base64'), signer);
}

const putSecret = (tx: Transaction, secret: Buffer, signer: Signer): Promise<void> =>
  tx.insert(
    'submission_secret',
    [{ id: 1, key_id: signer.keyId, encrypted: encrypt(secret, signer).toString('base64') }],
    'on conflict (id) do update set key_id = excluded.key_id, encrypted = excluded.encrypted',
  );

/** A signature by Ed25519 is the same every time, and nobody else can make it. */
const deriveKey = (signer: Signer): Buffer =>
  hash('sha256', signer.sign('pocketwatch: key of the secret of submission keys'), 'buffer');

function encrypt(secret: Buffer, signer: Signer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(signer), nonce);
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(bytes: Buffer, signer: Signer): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, deriveKey(signer), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    // Damaged: a new one is made, and what was sent within the last day can be sealed a second time.
    return undefined;
  }
}
