// Wakes up on the real clock and runs what is due.
import { setTimeout as delay } from 'node:timers/promises';
import { SLOT, slotStart } from '../../domain/time/slot.ts';
import { ClockError } from '../../store/engine/clock.ts';
import { fullDiskText } from '../../store/engine/store.ts';
import type { JobOutcome, PipelineContext } from '../core/context.ts';
import { runDueNow } from './run.ts';

/** Time for the signals of the quarter hour to arrive. */
const SETTLE_MS = 2_000;
/** The longest sleep: a failed slot is retried after this time, and a machine that was suspended catches up. */
export const MAX_SLEEP_MS = 20_000;

const sleepUntilAborted = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

/** Runs due jobs by the real clock until `signal` aborts; the job under way is finished first. */
export async function runScheduler(
  pipeline: PipelineContext,
  clock: () => number,
  signal: AbortSignal,
  onOutcomes: (outcomes: JobOutcome[]) => void,
  sleep = sleepUntilAborted,
): Promise<void> {
  let refused: number | undefined;
  let full = false;
  while (!signal.aborted) {
    const outcomes = await runDueNow(pipeline, clock, signal);
    const refusal = outcomes.find(({ error }) => error instanceof ClockError)?.slot;
    // A wrong clock is reported once a slot, not at every attempt.
    // After a full disk a round without jobs is told too: another worker has run them, and so there is room.
    const tells = outcomes.length > 0 || full;
    if (tells && (refusal === undefined || refusal !== refused)) onOutcomes(outcomes);
    refused = refusal;
    full = outcomes.some(({ error }) => fullDiskText(error) !== undefined);
    const now = clock();
    const next = slotStart(now) + SLOT + SETTLE_MS;
    await sleep(Math.min(next - now, MAX_SLEEP_MS), signal);
  }
}
