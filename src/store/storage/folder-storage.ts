// The published ledger in a folder. A file is written whole under another name, made durable and then linked to its
// own name, which fails where there is one already: a reader never sees half a file, and a kill leaves a draft at most.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../engine/make-folder.ts';
import { type LedgerStorage, type ReplacedPath, StorageError, type StoredFile } from './ledger-storage.ts';

const DRAFTS = '.drafts';
const LOCK = '.lock';
/** Older drafts are of a process that was killed. */
const DRAFT_MS = 60 * 60_000;
/** How long a process waits for another one that replaces a file, which takes milliseconds. */
const LOCK_MS = 5_000;

export function folderStorage(root: string): LedgerStorage {
  const at = (path: string): string => join(root, path);
  /** Folders whose new names are not durable yet. */
  const unsynced = new Set<string>();

  const writeDraft = async (bytes: Buffer): Promise<string> => {
    makeFolder(at(DRAFTS));
    const draft = at(`${DRAFTS}/${randomUUID()}`);
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    return draft;
  };
  /** The folder and those above it, since they may be new too. */
  const markUnsynced = (folder: string): void => {
    for (let above = folder; above.length >= root.length; above = dirname(above)) unsynced.add(above);
  };
  const syncFolders = async (): Promise<void> => {
    for (const folder of unsynced) {
      const handle = await open(folder);
      await handle.sync().finally(() => handle.close());
      unsynced.delete(folder);
    }
  };

  return {
    location: root,
    prepare: () =>
      told(root, async () => {
        makeFolder(at(DRAFTS));
        for (const name of readdirSync(at(DRAFTS))) removeOld(at(`${DRAFTS}/${name}`));
      }),
    get: (path) => told(root, async () => readStored(at(path))),
    putOnce: (path, bytes) =>
      told(root, async () => {
        const file = at(path);
        const found = await readIfThere(file);
        if (found) refuseOther(path, found, bytes);
        else {
          const draft = await writeDraft(bytes);
          try {
            mkdirSync(dirname(file), { recursive: true });
            await link(draft, file);
          } catch (error) {
            if (errorCode(error) !== 'EEXIST') throw error;
            // Another process was first.
            refuseOther(path, readFileSync(file), bytes);
          } finally {
            await rm(draft, { force: true });
          }
        }
        markUnsynced(dirname(file));
      }),
    replace: (path, bytes, previous) =>
      told(root, async () => {
        await syncFolders();
        const draft = await writeDraft(bytes);
        try {
          withLock(at(LOCK), () => {
            refuseReplaced(path, readStored(at(path)), previous);
            renameSync(draft, at(path));
          });
        } finally {
          await rm(draft, { force: true });
        }
        markUnsynced(root);
        await syncFolders();
      }),
  };
}

const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error));

const readIfThere = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch((error) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });

/** A checkpoint and a key differ from those before, so that the bytes are a version. */
function readStored(file: string): StoredFile | undefined {
  try {
    const bytes = readFileSync(file);
    return { bytes, version: bytes.toString('base64') };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function refuseOther(path: string, found: Buffer, bytes: Buffer): void {
  if (!found.equals(bytes)) throw new StorageError('different', `${path} has other bytes than the database`);
}

function refuseReplaced(path: ReplacedPath, found: StoredFile | undefined, previous: StoredFile | undefined) {
  if (found?.version !== previous?.version)
    throw new StorageError('replaced', `${path} was replaced by another process`);
}

/**
 * Lets one process at a time compare and rename. The lock is that of an empty SQLite file: the system gives it back when
 * its process is killed, which the existence of a file would not.
 */
function withLock(file: string, work: () => void): void {
  const lock = new DatabaseSync(file, { timeout: LOCK_MS });
  try {
    lock.exec('begin exclusive');
    work();
  } finally {
    lock.close();
  }
}

function removeOld(draft: string): void {
  const age = Date.now() - (statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > DRAFT_MS) rmSync(draft, { force: true });
}

/** A folder that is full, read-only or away may be mended while the service runs. */
async function told<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError('unavailable', `${root}: ${(error as Error).message}`);
  }
}
