import { LedgerError } from './error.ts';
import type { Signer, Verifier } from './key.ts';
import { checkSize, type Hash } from './merkle.ts';
import { openNote, signNote } from './note.ts';

/** C2SP tlog-checkpoint: the tree that a log commits to. */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Hash;
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  if (origin === '' || origin.includes('\n'))
    throw new LedgerError('bad_checkpoint', 'an origin is one line');
  return `${origin}\n${checkSize(size)}\n${Buffer.from(root, 'hex').toString('base64')}\n`;
}

/** The name of the key is used as the origin of the log. */
export function signCheckpoint(size: number, root: Hash, signer: Signer): string {
  return signNote(checkpointText({ origin: signer.name, size, root }), [signer]);
}

export function openCheckpoint(note: string, verifier: Verifier): Checkpoint {
  const checkpoint = parseCheckpoint(openNote(note, [verifier]));
  // One key may sign for several logs; a checkpoint of another log proves nothing about this one.
  if (checkpoint.origin !== verifier.name) {
    throw new LedgerError('bad_checkpoint', 'the checkpoint is of another log');
  }
  return checkpoint;
}

/** Lines after the third are extensions: allowed by the format, not verifiable, and ignored. */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n');
  const [origin, size, root] = lines;
  const digest = Buffer.from(root ?? '', 'base64');
  if (
    !origin ||
    lines.length < 4 ||
    lines.indexOf('') !== lines.length - 1 ||
    !/^(0|[1-9][0-9]{0,15})$/.test(size ?? '') ||
    digest.length !== 32 ||
    digest.toString('base64') !== root
  ) {
    throw new LedgerError('bad_checkpoint', 'a checkpoint is an origin, a size and a root');
  }
  return { origin, size: checkSize(Number(size)), root: digest.toString('hex') };
}
