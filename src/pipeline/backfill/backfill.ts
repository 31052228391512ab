import { DAY, SLOT, slotOf, startOfDay, startOfMonth } from '../../domain/time/sgt.ts';
import { lastRun, recordRuns } from '../../store/runtime/job-runs.ts';
import type { Behind } from '../../store/write-behind.ts';
import type { PipelineContext } from '../core/context.ts';
import { runClaimed, runJob, type SendApart, transact } from '../core/run.ts';
import { BRIEF_ANSWERS, isDue, schedule } from '../core/schedule.ts';
import { SignalPrefetcher } from './signal-prefetcher.ts';

/** The run that says history is whole, so that a later gap is an outage and not a backfill to go on with. */
const HISTORY = 'history';

export interface Progress {
  done: number;
  total: number;
  /** The slot reached. */
  slot: number;
}

/** The first slot of the previous month in Singapore, so that every report has a whole month to tell of. */
export const historyStart = (now: number): number => startOfMonth(now, -1);

export const hasHistory = async ({ store }: PipelineContext): Promise<boolean> =>
  (await lastRun(store, HISTORY)) !== null;

/**
 * Plays the schedule from `from` to `now` on a virtual clock, a day a transaction: killed anywhere, it goes on from the
 * last whole day. Only a source that can be asked about the past has one to write.
 */
export async function backfill(
  works: PipelineContext,
  { from, now }: { from: number; now: number },
  onProgress: (progress: Progress) => void = () => undefined,
  behind?: Pick<Behind, 'send' | 'meanwhile'>,
): Promise<void> {
  const end = slotOf(now);
  const feed = new SignalPrefetcher(works.source, end);
  behind?.meanwhile(() => feed.prepare());
  const reached = await lastRun(works.store, 'atmosphere');
  const start = Math.max(from, (reached ?? Number.NEGATIVE_INFINITY) + SLOT);
  const total = Math.floor((end - from) / SLOT) + 1;
  for (let dayStart = start; dayStart <= end; dayStart = startOfDay(dayStart) + DAY) {
    const dayEnd = Math.min(startOfDay(dayStart) + DAY - SLOT, end);
    await playDay(works, feed, { begin: dayStart, last: dayEnd, end }, behind?.send);
    onProgress({ done: Math.floor((dayEnd - from) / SLOT) + 1, total, slot: dayEnd });
  }
  const history = { name: HISTORY, cron: '', late: 'skip', run: async () => undefined } as const;
  await transact(works, now, (tx) => runJob(tx, works, history, { slot: end, now, signals: [] }));
}

function playDay(
  works: PipelineContext,
  feed: SignalPrefetcher,
  { begin, last, end }: { begin: number; last: number; end: number },
  apart: SendApart | undefined,
): Promise<void> {
  return transact(works, last, async (tx) => {
    // Another worker may have got here first, and has waited for nobody.
    const first = Math.max(begin, ((await lastRun(tx, 'atmosphere')) ?? 0) + SLOT);
    feed.forget();
    for (let slot = first; slot <= last; slot += SLOT) {
      const at = { slot, now: slot, signals: await feed.at(tx, slot), newest: slot === end };
      const due = schedule.filter((job) => isDue(job, slot));
      await recordRuns(tx, due, slot, works.worker);
      for (const job of due) {
        await runClaimed(tx, works, job, at, apart);
        if (job.name === BRIEF_ANSWERS) apart ? feed.ask(tx, slot) : feed.forget();
      }
    }
  });
}
