import { DAY, SLOT, slotOf, startOfDay, startOfMonth } from '../../domain/time/sgt.ts';
import { claim, lastRun, recordRuns } from '../../store/runtime/job-runs.ts';
import type { PipelineContext } from '../core/context.ts';
import { runClaimed, transact } from '../core/run.ts';
import { isDue, schedule } from '../core/schedule.ts';
import { signalsOf } from '../core/slot-signals.ts';

/** The run that says history is whole, so that a later gap is an outage and not a backfill to go on with. */
const HISTORY = 'history';

export interface Progress {
  done: number;
  total: number;
  /** The slot reached. */
  slot: number;
}

/** The first slot of the previous month in Singapore, so that every report has a whole month to cover. */
export const historyStart = (now: number): number => startOfMonth(now, -1);

export const hasHistory = async ({ store }: PipelineContext): Promise<boolean> =>
  (await lastRun(store, HISTORY)) !== null;

/**
 * Runs the schedule from `from` to `now` on a virtual clock, a day per transaction: killed anywhere, it goes on from the
 * last whole day. Only a source that can be asked about the past has a history to write.
 */
export async function backfill(
  pipeline: PipelineContext,
  { from, now }: { from: number; now: number },
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<void> {
  const end = slotOf(now);
  const reached = await lastRun(pipeline.store, 'atmosphere');
  const start = Math.max(from, (reached ?? Number.NEGATIVE_INFINITY) + SLOT);
  const total = Math.floor((end - from) / SLOT) + 1;
  for (let dayStart = start; dayStart <= end; dayStart = startOfDay(dayStart) + DAY) {
    const dayEnd = Math.min(startOfDay(dayStart) + DAY - SLOT, end);
    await writeDay(pipeline, { begin: dayStart, last: dayEnd, end });
    onProgress({ done: Math.floor((dayEnd - from) / SLOT) + 1, total, slot: dayEnd });
  }
  await transact(pipeline, now, (tx) => claim(tx, HISTORY, end, pipeline.worker, now));
}

function writeDay(
  pipeline: PipelineContext,
  { begin, last, end }: { begin: number; last: number; end: number },
): Promise<void> {
  return transact(pipeline, last, async (tx) => {
    // Another worker may have written the day while this one waited for the lock.
    const first = Math.max(begin, ((await lastRun(tx, 'atmosphere')) ?? 0) + SLOT);
    for (let slot = first; slot <= last; slot += SLOT) {
      const signals = await signalsOf(pipeline.source, tx, slot);
      const due = schedule.filter((job) => isDue(job, slot));
      await recordRuns(tx, due, slot, pipeline.worker);
      for (const job of due)
        await runClaimed(tx, pipeline, job, { slot, now: slot, signals, newest: slot === end });
    }
  });
}
