import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { LedgerError } from './error.ts';

/** C2SP signed-note: the type byte of an Ed25519 key or signature. */
export const ED25519 = 0x01;
export const KEY_BYTES = 32;
/** The DER prefixes before the 32 bytes of a key: RFC 8410. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
export const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export interface Signer {
  name: string;
  /** Eight hex digits. Neither secret nor collision resistant: it only tells which key to try. */
  keyId: string;
  sign(text: string): Buffer;
  /** The public key as verifiers take it: `name+id+key`. */
  verifierKey: string;
}

/** A new key is `privateKeyFromSeed` of 32 random bytes; the caller supplies the randomness. */
export function privateKeyFromSeed(seed: Uint8Array): KeyObject {
  if (seed.length !== KEY_BYTES) throw new LedgerError('bad_key', `a seed is ${KEY_BYTES} bytes`);
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

export function privateKeyFromPem(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The original error could quote the key.
    throw new LedgerError('bad_key', 'not a private key in PEM');
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new LedgerError('bad_key', 'the key is not Ed25519');
  return key;
}

export function privateKeyPem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** `name` is the origin of the log and part of every signature line. */
export function createSigner(name: string, key: KeyObject): Signer {
  const typed = Buffer.concat([
    Buffer.of(ED25519),
    createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length),
  ]);
  const keyId = computeKeyId(name, typed);
  return {
    name,
    keyId,
    sign: (text) => sign(null, Buffer.from(text), key),
    verifierKey: `${name}+${keyId}+${typed.toString('base64')}`,
  };
}

export function computeKeyId(name: string, typed: Buffer): string {
  if (!isKeyName(name)) throw new LedgerError('bad_key', 'a key name has no space and no plus sign');
  return hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'hex').slice(0, 8);
}

export function isKeyName(name: string): boolean {
  return name !== '' && name.isWellFormed() && !/[\p{White_Space}\p{Cc}+]/u.test(name);
}
