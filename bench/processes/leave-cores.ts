import { constants, getPriority, setPriority } from 'node:os';

/** In the smallest run, which has a place among other tests, a process of low priority might wait long for its turn. */
export const ranksLower = process.env.BENCH_SIZE !== 'smallest';

/** What clients cost is not the service's cost: those that only make work leave the cores to the measured reads. */
export function leaveCores(): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  if (ranksLower) setPriority(Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL));
}
