import { LedgerError } from './error.ts';
import type { Signer } from './key.ts';
import { checkSize, type Hash } from './merkle.ts';
import { parseNote, signNote } from './note.ts';

/** C2SP tlog-checkpoint: the tree that a log commits to, and the time of its newest entry. */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Hash;
  /** Epoch milliseconds; absent from the checkpoint of another log, or of an empty one. */
  writtenAt?: number;
}

/** The extension line that holds the time. Clients that do not know it must ignore it, by the format. */
const WRITTEN_AT = 'written_at ';

export function checkpointText({ origin, size, root, writtenAt }: Checkpoint): string {
  if (origin === '' || origin.includes('\n'))
    throw new LedgerError('bad_checkpoint', 'an origin is one line');
  const time = writtenAt === undefined ? '' : `${WRITTEN_AT}${new Date(writtenAt).toISOString()}\n`;
  return `${origin}\n${checkSize(size)}\n${Buffer.from(root, 'hex').toString('base64')}\n${time}`;
}

/** The name of the key is used as the origin of the log. */
export function signCheckpoint(size: number, root: Hash, signer: Signer, writtenAt?: number): string {
  const time = writtenAt !== undefined && { writtenAt };
  return signNote(checkpointText({ origin: signer.name, size, root, ...time }), [signer]);
}

/** Lines after the third are extensions: allowed by the format, and ignored except for the time. */
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
  const time = lines.find((line, i) => i > 2 && line.startsWith(WRITTEN_AT));
  const writtenAt = Date.parse(time?.slice(WRITTEN_AT.length) ?? '');
  return {
    origin,
    size: checkSize(Number(size)),
    root: digest.toString('hex'),
    ...(!Number.isNaN(writtenAt) && { writtenAt }),
  };
}

/** The checkpoint of a signed note, whose signature is not checked. */
export const readNote = (note: string): Checkpoint => parseCheckpoint(parseNote(note).text);
