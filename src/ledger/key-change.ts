// The payload of an entry of type `key`: from this entry on another key signs the log. Signed by the key that it
// replaces, so that whoever trusts the old key can trust the new one.
import type { Signer } from './key.ts';
import { signNote } from './note.ts';

export interface KeyChange {
  type: 'key';
  id: string;
  origin: string;
  /** Both as verifiers take them. */
  old_key: string;
  new_key: string;
  /** A note on the change, signed by the old key; null if that key was lost. */
  endorsement: string | null;
}

export const keyChangeId = (number: number): string => `key-${number}`;
export const isKeyChangeId = (id: string): boolean => /^key-\d+$/.test(id);

/** `old` is the signer of the old key, or only its public key if the private one was lost. */
export function keyChange(number: number, old: Signer | string, next: Signer): KeyChange {
  const id = keyChangeId(number);
  const [old_key, new_key] = [typeof old === 'string' ? old : old.verifierKey, next.verifierKey];
  const endorsement =
    typeof old === 'string' ? null : signNote(`${next.name}\n${id}\n${old_key}\n${new_key}\n`, [old]);
  return { type: 'key', id, origin: next.name, old_key, new_key, endorsement };
}
