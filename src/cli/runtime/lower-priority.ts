// Requests come first: the pipeline runs at a low priority.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { availableParallelism, constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

const LOWER = constants.priority.PRIORITY_BELOW_NORMAL;

/** Ranks the pipeline's thread below requests. On Linux a thread has its own priority, elsewhere only a process has. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') {
    if (isMainThread) setPriority(Math.max(getPriority(), LOWER));
    return;
  }
  const threads = [ownThread(), ...v8Helpers()];
  // With a lower priority alone a job can still hold a core for milliseconds while a request waits. With one core only,
  // a busy service would never let an idle-class thread run.
  if (availableParallelism() > 1 && threads.every(runWhenIdle)) return;
  for (const thread of threads) setPriority(thread, Math.max(getPriority(thread), LOWER));
}

/** Ranks this thread below requests, but lets it run on a busy machine: somebody waits for what it computes. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  const thread = ownThread();
  setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + LOWER));
}

const ownThread = (): number => Number(readlinkSync('/proc/thread-self').split('/').at(-1));

/** The threads that compile and collect garbage for the whole process. */
const v8Helpers = (): number[] =>
  readdirSync('/proc/self/task')
    .filter((thread) => threadName(thread).startsWith('V8Worker'))
    .map(Number);

function threadName(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8');
  } catch {
    // The thread has ended.
    return '';
  }
}

const runWhenIdle = (thread: number): boolean =>
  spawnSync('chrt', ['--idle', '--pid', '0', `${thread}`], { stdio: 'ignore' }).status === 0;
