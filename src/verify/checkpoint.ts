// Reads the log's key and its signed checkpoints. Written independently of src/ledger.
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { LedgerFault } from './fault.ts';
import { parseSeconds } from './times.ts';

export interface LogKey {
  name: string;
  id: Buffer;
  key: KeyObject;
}

export interface TreeHead {
  size: number;
  /** In base64, as in the signed text. */
  root: string;
  /** The time that the log signed with it; only an empty log has none. */
  written_at: string | null;
}

const ED25519 = 0x01;
const WRITTEN_AT = 'written_at ';

/** `name+id+key`, as in C2SP signed-note. It comes from the log itself unless the caller supplies one. */
export function readKey(text: string): LogKey {
  const line = text.endsWith('\n') ? text.slice(0, -1) : text;
  const [name = '', id = ''] = line.split('+', 2);
  const typed = Buffer.from(line.slice(name.length + id.length + 2), 'base64');
  const expected = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'hex').slice(0, 8);
  if (typed.length !== 33 || typed[0] !== ED25519 || id !== expected || !/^[^\s+]+$/.test(name)) {
    throw new LedgerFault('bad_key', 'the key of the log is not an Ed25519 verifier key');
  }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: typed.subarray(1).toString('base64url') };
  return { name, id: Buffer.from(id, 'hex'), key: createPublicKey({ key: jwk, format: 'jwk' }) };
}

/** The signed part of a note; empty if there are no signatures. */
export const noteText = (note: string): string => note.slice(0, note.lastIndexOf('\n\n') + 1);

/** The signatures of a note that name this key. They are not verified yet. */
function ownSignatures(note: string, { name, id }: LogKey): Buffer[] {
  const text = noteText(note);
  if (text === '') return [];
  return note
    .slice(text.length + 1)
    .split('\n')
    .filter((line) => line.startsWith(`— ${name} `))
    .map((line) => Buffer.from(line.slice(name.length + 3), 'base64'))
    .filter((signature) => signature.subarray(0, 4).equals(id));
}

/** Whether the note names this key as its signer; `verifyNote` then checks the signature. */
export const isSignedBy = (note: string, key: LogKey): boolean => ownSignatures(note, key).length > 0;

export function verifyNote(note: string, logKey: LogKey): void {
  const { name, id, key } = logKey;
  const own = ownSignatures(note, logKey);
  if (own.length === 0) {
    throw new LedgerFault('bad_signature', `the checkpoint is not signed by ${name}+${id.toString('hex')}`);
  }
  // One invalid line is enough to refuse: a log does not sign twice.
  const text = Buffer.from(noteText(note));
  if (!own.every((signature) => verify(null, text, key, signature.subarray(4)))) {
    throw new LedgerFault('bad_signature', `a signature of ${name} does not fit the checkpoint`);
  }
}

/** The tree head of a checkpoint, if the key has signed it for the log of that name. */
export function readCheckpoint(note: string, logKey: LogKey): TreeHead {
  verifyNote(note, logKey);
  const { name } = logKey;
  const [origin, size, root, ...extensions] = noteText(note).split('\n');
  if (origin !== name) throw new LedgerFault('bad_checkpoint', `the checkpoint is of ${origin}, not ${name}`);
  if (!/^(0|[1-9][0-9]*)$/.test(size ?? '') || !Number.isSafeInteger(Number(size))) {
    throw new LedgerFault('bad_checkpoint', 'the checkpoint has no size');
  }
  if (root === undefined || !/^[A-Za-z0-9+/]{43}=$/.test(root)) {
    throw new LedgerFault('bad_checkpoint', 'the checkpoint has no root');
  }
  const line = extensions.find((extension) => extension.startsWith(WRITTEN_AT));
  const written_at = line?.slice(WRITTEN_AT.length) ?? null;
  if (Number(size) > 0 && Number.isNaN(parseSeconds(written_at)))
    throw new LedgerFault('bad_checkpoint', 'the checkpoint does not say when it was written');
  return { size: Number(size), root, written_at };
}
