// The newest checkpoint that this machine knows, kept outside the store (`ledger.checkpoint` in DATA_DIR). A log that
// went on from an older backup would publish other entries at places that it has signed for already; with this file a
// process notices, and refuses to start.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { ConfigError } from '../../../config.ts';
import { type Checkpoint, readNote } from '../../../ledger/checkpoint.ts';
import { makeFolder } from '../../../store/engine/make-folder.ts';
import type { Engine, Reader } from '../../../store/engine/store.ts';
import { growsFrom, latestCheckpoint } from '../../../store/ledger/ledger-reads.ts';
import { say } from '../command.ts';

const fileIn = (dataDir: string): string => join(dataDir, 'ledger.checkpoint');

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
    // The signature is not checked: the file is the operator's own, and the key may have been rotated since.
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
  if (await growsFrom(store, known)) return;
  const size = (await latestCheckpoint(store))?.size ?? 0;
  const fault =
    size < known.size
      ? `${store.location} holds a log of ${size} entries, but ${fileIn(dataDir)} knows of ${known.size}`
      : `${store.location} holds a different log from the one that ${fileIn(dataDir)} knows of`;
  throw new ConfigError(
    `${fault}: restore a newer backup, or go on without them with pocketwatch restore --accept-loss`,
  );
}

/**
 * Returns a function that keeps the store's newest checkpoint, if it has grown. One write at a time, and none over a newer
 * one: of two processes the slower may have read the older. It never throws: it reports a failure once.
 */
export function checkpointKeeper(
  store: Reader & Pick<Engine, 'engine'>,
  dataDir: string,
): () => Promise<void> {
  let kept = 0;
  let reported = false;
  let under: Promise<void> = Promise.resolve();
  const keep = async () => {
    try {
      const newest = await latestCheckpoint(store);
      if (!newest || newest.size <= kept) return;
      await keepNote(dataDir, newest.note);
      kept = newest.size;
    } catch (error) {
      // The embedded store is on the same disk, and tells that it is full.
      if (store.engine === 'sqlite' && (error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      if (!reported) say(`the newest checkpoint was not kept in DATA_DIR: ${(error as Error).message}`);
      reported = true;
    }
  };
  return () => {
    under = under.then(keep);
    return under;
  };
}

/** A name for each thread: two that write at the same time do not meet, and one that was killed is recognised. */
const draftIn = (dataDir: string): string => `${fileIn(dataDir)}.${process.pid}-${threadId}`;

async function keepNote(dataDir: string, note: string): Promise<void> {
  makeFolder(dataDir);
  const draft = draftIn(dataDir);
  const handle = await open(draft, 'w');
  try {
    await handle.writeFile(note);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // Nothing comes between the two in this process, and hardly anything in another one.
  if (keptSize(dataDir) < readNote(note).size) renameSync(draft, fileIn(dataDir));
  else rmSync(draft, { force: true });
}

/** What is no checkpoint says nothing, and may be replaced. */
function keptSize(dataDir: string): number {
  try {
    return knownCheckpoint(dataDir)?.size ?? 0;
  } catch (error) {
    if (error instanceof ConfigError) return 0;
    throw error;
  }
}

/** Drafts of checkpoints and of keys, by the process and thread that wrote them, and as they were named before. */
const DRAFT = /^ledger\.(?:checkpoint|key)\.(?:(\d+)-\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Removes what processes that were killed have left half written. */
export function removeDrafts(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  for (const name of readdirSync(dataDir)) {
    const draft = DRAFT.exec(name);
    if (draft && !isRunning(Number(draft[1] ?? Number.NaN))) rmSync(join(dataDir, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (Number.isNaN(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user: it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
