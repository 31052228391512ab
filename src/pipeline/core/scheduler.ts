import { setTimeout as delay } from 'node:timers/promises';
import { SLOT, slotOf } from '../../domain/time/sgt.ts';
import type { PipelineContext } from './context.ts';
import { type JobOutcome, runDue } from './run.ts';

/** Lets the signals of the quarter hour arrive. */
const SETTLE_MS = 2_000;
/** Looks this often even when nothing is due: a failed slot is tried again, and a machine that slept notices. */
const LOOK_MS = 20_000;

/** Drives the schedule by a real clock until `signal` aborts; a slot under way is finished first. */
export async function runScheduler(
  works: PipelineContext,
  clock: () => number,
  signal: AbortSignal,
  onOutcomes: (outcomes: JobOutcome[]) => void,
): Promise<void> {
  while (!signal.aborted) {
    const outcomes = await runDue(works, clock());
    if (outcomes.length) onOutcomes(outcomes);
    const now = clock();
    const next = slotOf(now) + SLOT + SETTLE_MS;
    await delay(Math.min(next - now, LOOK_MS), undefined, { signal }).catch(() => undefined);
  }
}
