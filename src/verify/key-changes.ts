// Checks the entries by which the log changed its key. Written independently of src/ledger.
import { isSignedBy, noteText, readKey, verifyNote } from './checkpoint.ts';
import type { Entry } from './entry.ts';
import { LedgerFault } from './fault.ts';

export interface KeyChange {
  leaf: number;
  old_key: string;
  new_key: string;
  /** Whether the old key signed the change; false if the log says that it was lost. */
  endorsed: boolean;
}

/** A change names the key before it, and carries that key's signature unless the key was lost. */
export function readKeyChange(
  { leaf, id, payload }: { leaf: number; id: string; payload: Entry['payload'] },
  origin: string,
  previous: KeyChange | undefined,
): KeyChange {
  const bad = (message: string): LedgerFault => new LedgerFault('bad_key', message, { leaf, id });
  const { old_key, new_key, endorsement } = payload;
  if (typeof old_key !== 'string' || typeof new_key !== 'string' || payload.origin !== origin)
    throw bad('not a change of the key of this log');
  const [old, next] = [readKey(old_key), readKey(new_key)];
  if (old.name !== origin || next.name !== origin) throw bad('a key is of another log');
  if (previous && previous.new_key !== old_key) throw bad('the old key is not the one that was in force');
  if (endorsement === null) return { leaf, old_key, new_key, endorsed: false };
  if (typeof endorsement !== 'string' || !isSignedBy(endorsement, old))
    throw bad('the change is not signed by the old key');
  verifyNote(endorsement, old);
  if (noteText(endorsement) !== `${origin}\n${id}\n${old_key}\n${new_key}\n`)
    throw bad('the old key has signed another change');
  return { leaf, old_key, new_key, endorsed: true };
}

/** Whether every change of the key since `from` was in force is signed by the key before it. */
export function isEndorsed(changes: readonly KeyChange[], from: string): boolean {
  const first = changes.findIndex(({ old_key }) => old_key === from);
  return first >= 0 && changes.slice(first).every(({ endorsed }) => endorsed);
}
