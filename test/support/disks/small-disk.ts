// A file system of few megabytes, which a test fills and empties. Making one needs the rights of root.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export interface SmallDisk {
  path: string;
  /** Leaves this many bytes, by default none. */
  fill(left?: number): void;
  /** Takes back what `fill` has written. */
  empty(): void;
}

const CHUNK = Buffer.alloc(64 * 1024);

const mount = (path: string, megabytes: number): string | undefined => {
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], {
    encoding: 'utf8',
  });
  return made.status === 0 ? undefined : (made.stderr || String(made.error)).trim();
};
// Lazily: whatever a test that failed has left open must not keep it.
const unmount = (path: string) => spawnSync('umount', ['-l', path]);

/** Why none can be made here; false where one can. */
export const noSmallDisk: string | false = (() => {
  const path = mkdtempSync(join(tmpdir(), 'pocketwatch-disk-'));
  const refused = mount(path, 1);
  unmount(path);
  rmSync(path, { recursive: true });
  return refused === undefined ? false : `no file system can be mounted here: ${refused}`;
})();

export function smallDisk(t: Pick<TestContext, 'after'>, megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'pocketwatch-disk-'));
  const refused = mount(path, megabytes);
  if (refused) throw new Error(refused);
  t.after(() => {
    unmount(path);
    rmSync(path, { recursive: true, force: true });
  });
  const ballast = join(path, 'ballast');
  const free = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    fill: (left = 0) => {
      const file = openSync(ballast, 'a');
      try {
        for (let more = free() - left; more > 0; more = free() - left)
          writeSync(file, CHUNK, 0, Math.min(more, CHUNK.length));
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(ballast, { force: true }),
  };
}
