// Checks the signatures of what the log has signed. The service only signs; `verify` checks with code of its own.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Checkpoint, parseCheckpoint } from '../checkpoint.ts';
import { LedgerError } from '../error.ts';
import { computeKeyId, ED25519, KEY_BYTES, SPKI } from '../key.ts';
import { parseNote } from '../note.ts';

export interface Verifier {
  name: string;
  keyId: string;
  publicKey: KeyObject;
}

/** The text may come from the log itself, so a key that does not hash to its own id is refused. */
export function parseVerifierKey(verifierKey: string): Verifier {
  const [, name, keyId, encoded] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(verifierKey) ?? [];
  if (name === undefined || keyId === undefined || encoded === undefined) {
    throw new LedgerError('bad_key', 'a verifier key is name+id+key');
  }
  const typed = Buffer.from(encoded, 'base64');
  const isEd25519 = typed[0] === ED25519 && typed.length === 1 + KEY_BYTES;
  if (!isEd25519 || typed.toString('base64') !== encoded || computeKeyId(name, typed) !== keyId) {
    throw new LedgerError('bad_key', 'the verifier key is not Ed25519 or does not fit its id');
  }
  const publicKey = createPublicKey({
    key: Buffer.concat([SPKI, typed.subarray(1)]),
    format: 'der',
    type: 'spki',
  });
  return { name, keyId, publicKey };
}

/**
 * Returns the text if a known key has signed it. Signatures of unknown keys are ignored: they may be of witnesses or of
 * other types. An invalid signature of a known key makes the whole note invalid.
 */
export function openNote(note: string, verifiers: readonly Verifier[]): string {
  const { text, signatures } = parseNote(note);
  const signed = Buffer.from(text);
  let verified = false;
  for (const { name, keyId, signature } of signatures) {
    const verifier = verifiers.find((known) => known.name === name && known.keyId === keyId);
    if (verifier === undefined) continue;
    if (!verify(null, signed, verifier.publicKey, signature)) {
      throw new LedgerError('bad_signature', `false signature for ${name}+${keyId}`);
    }
    verified = true;
  }
  if (!verified) throw new LedgerError('bad_signature', 'no known key has signed this');
  return text;
}

export function openCheckpoint(note: string, verifier: Verifier): Checkpoint {
  const checkpoint = parseCheckpoint(openNote(note, [verifier]));
  // One key may sign for several logs; a checkpoint of another log proves nothing about this one.
  if (checkpoint.origin !== verifier.name) {
    throw new LedgerError('bad_checkpoint', 'the checkpoint is of another log');
  }
  return checkpoint;
}
