// The newest checkpoint that this machine knows, kept outside the store (`ledger.checkpoint` in DATA_DIR). A log that
// went on from an older backup would publish other entries at places that it has signed for already; with this file a
// process notices, and refuses to start.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../../config.ts';
import { type Checkpoint, parseCheckpoint } from '../../../ledger/checkpoint.ts';
import { parseNote } from '../../../ledger/note.ts';
import type { Engine, Reader } from '../../../store/engine/store.ts';
import { checkpointOfSize, latestCheckpoint } from '../../../store/ledger/ledger-reads.ts';
import { say } from '../command.ts';

const fileIn = (dataDir: string): string => join(dataDir, 'ledger.checkpoint');

/** The signature is not checked: the file is the operator's own, and the key may have been rotated since. */
export const readNote = (note: string): Checkpoint => parseCheckpoint(parseNote(note).text);

/** As it was signed; undefined where none was kept. */
export function knownNote(dataDir: string): string | undefined {
  try {
    return readFileSync(fileIn(dataDir), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export function knownCheckpoint(dataDir: string): Checkpoint | undefined {
  const file = fileIn(dataDir);
  const note = knownNote(dataDir);
  if (note === undefined) return undefined;
  try {
    return readNote(note);
  } catch {
    throw new ConfigError(`${file} is not a checkpoint: pocketwatch restore --accept-loss removes it`);
  }
}

export const forgetCheckpoint = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

/** Throws if the store's log does not contain the tree of the known checkpoint. */
export async function refuseLostEntries(store: Engine, dataDir: string): Promise<void> {
  // Read before the store: another process may append and keep a newer one meanwhile.
  const known = knownCheckpoint(dataDir);
  if (!known) return;
  // Every transaction that appends stores its checkpoint, so the one that was kept is among them.
  const stored = await checkpointOfSize(store, known.size);
  if (stored !== undefined && readNote(stored).root === known.root) return;
  const size = (await latestCheckpoint(store))?.size ?? 0;
  const fault =
    size < known.size
      ? `${store.location} holds a log of ${size} entries, but ${fileIn(dataDir)} knows of ${known.size}`
      : `${store.location} holds another log than ${fileIn(dataDir)} knows of`;
  throw new ConfigError(
    `${fault}: restore a newer backup, or go on without them by pocketwatch restore --accept-loss`,
  );
}

/** Returns a function that keeps the store's newest checkpoint, if it has grown. It never throws: it reports a failure once. */
export function checkpointKeeper(store: Reader, dataDir: string): () => Promise<void> {
  let kept = 0;
  let reported = false;
  return async () => {
    const before = kept;
    try {
      const newest = await latestCheckpoint(store);
      if (!newest || newest.size <= kept) return;
      kept = newest.size;
      await replaceFile(dataDir, newest.note);
    } catch (error) {
      kept = before;
      if (!reported) say(`the newest checkpoint was not kept in DATA_DIR: ${(error as Error).message}`);
      reported = true;
    }
  };
}

async function replaceFile(dataDir: string, note: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${fileIn(dataDir)}.${randomUUID()}`;
  const handle = await open(draft, 'wx');
  try {
    await handle.writeFile(note);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, fileIn(dataDir));
}
