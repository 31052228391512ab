// Wakes up on the real clock and runs what is due.
import { setTimeout as delay } from 'node:timers/promises';
import { SLOT, slotOf } from '../../domain/time/sgt.ts';
import type { PipelineContext } from './context.ts';
import { type JobOutcome, runDue } from './run.ts';

/** Time for the signals of the quarter hour to arrive. */
const SETTLE_MS = 2_000;
/** The longest sleep: a failed slot is retried after this time, and a machine that was suspended catches up. */
const MAX_SLEEP_MS = 20_000;

/** Runs due jobs by the real clock until `signal` aborts; the job under way is finished first. */
export async function runScheduler(
  pipeline: PipelineContext,
  clock: () => number,
  signal: AbortSignal,
  onOutcomes: (outcomes: JobOutcome[]) => void,
): Promise<void> {
  while (!signal.aborted) {
    const outcomes = await runDue(pipeline, clock());
    if (outcomes.length) onOutcomes(outcomes);
    const now = clock();
    const next = slotOf(now) + SLOT + SETTLE_MS;
    await delay(Math.min(next - now, MAX_SLEEP_MS), undefined, { signal }).catch(() => undefined);
  }
}
