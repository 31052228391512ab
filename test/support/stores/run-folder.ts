// The folder of one run of the tests, for its templates and for the stores of all its tests; scripts/test.ts names it in
// TEST_TEMPLATES. A test file that is run on its own has none.
import { constants, globSync } from 'node:fs';
import { access, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isAlive } from './postgres-cluster.ts';

const prefix = 'pocketwatch_run_';
/** A file system in memory, on Linux. */
const memory = '/dev/shm';
/** Far more than the stores of a run take, and the server beside them. */
const ROOM_BYTES = 4e9;

export const runFolder = (): string | undefined => process.env.TEST_TEMPLATES || undefined;

/** Where the stores of a test lie. */
export const storesFolder = (): string => runFolder() ?? tmpdir();

/** Makes the folder, and removes those that killed runs have left. */
export async function makeRunFolder(): Promise<string> {
  const base = (await memoryFolder()) ?? tmpdir();
  for (const left of globSync(join(base, `${prefix}*`)))
    if (!isAlive(Number.parseInt(basename(left).slice(prefix.length), 10)))
      await rm(left, { recursive: true, force: true });
  return mkdtemp(join(base, `${prefix}${process.pid}_`));
}

/**
 * If there is room in memory: an embedded store waits for the disk at every commit, and a PostgreSQL server makes and
 * removes some hundred files for every database.
 */
export async function memoryFolder(): Promise<string | undefined> {
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize > ROOM_BYTES ? memory : undefined;
  } catch {
    return undefined;
  }
}
