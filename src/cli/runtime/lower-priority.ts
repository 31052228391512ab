import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { availableParallelism, constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

const LOWER = constants.priority.PRIORITY_BELOW_NORMAL;

/** The pipeline takes what answering leaves. On Linux a thread has a priority of its own, elsewhere only a process has. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') {
    if (isMainThread) setPriority(Math.max(getPriority(), LOWER));
    return;
  }
  const threads = [ownThread(), ...enginesHelpers()];
  // A lower priority alone still lets a tick keep a core for milliseconds from a request that comes in. With one core
  // only, a busy service would leave the pipeline nothing.
  if (availableParallelism() > 1 && threads.every(runWhenIdle)) return;
  for (const thread of threads) setPriority(thread, Math.max(getPriority(thread), LOWER));
}

const ownThread = (): number => Number(readlinkSync('/proc/thread-self').split('/').at(-1));

/** Those that compile and collect garbage for every thread of the process. */
const enginesHelpers = (): number[] =>
  readdirSync('/proc/self/task')
    .filter((thread) => nameOf(thread).startsWith('V8Worker'))
    .map(Number);

function nameOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

const runWhenIdle = (thread: number): boolean =>
  spawnSync('chrt', ['--idle', '--pid', '0', `${thread}`], { stdio: 'ignore' }).status === 0;
