import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Where cores are scarce, the pipeline takes what answering leaves. On Linux a thread has a priority of its own;
 * elsewhere only a process has.
 */
export function giveWay(): void {
  if (!isMainThread && process.platform !== 'linux') return;
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}
