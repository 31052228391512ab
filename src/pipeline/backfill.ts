import { DAY, SLOT, slotOf, startOfDay, startOfMonth } from '../domain/sgt.ts';
import { lastRun } from '../store/job-runs.ts';
import { runJob, transact } from './run.ts';
import { isDue, schedule } from './schedule.ts';
import type { Works } from './tick.ts';

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

export const hasHistory = async ({ store }: Works): Promise<boolean> =>
  (await lastRun(store, HISTORY)) !== null;

/**
 * Plays the schedule from `from` to `now` on a virtual clock, a day a transaction: killed anywhere, it goes on from the
 * last whole day. Only a source that can be asked about the past has one to write.
 */
export async function backfill(
  works: Works,
  { from, now }: { from: number; now: number },
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<void> {
  const end = slotOf(now);
  const reached = await lastRun(works.store, 'atmosphere');
  const start = Math.max(from, (reached ?? Number.NEGATIVE_INFINITY) + SLOT);
  const total = Math.floor((end - from) / SLOT) + 1;
  for (let dayStart = start; dayStart <= end; dayStart = startOfDay(dayStart) + DAY) {
    const dayEnd = Math.min(startOfDay(dayStart) + DAY - SLOT, end);
    await playDay(works, dayStart, dayEnd, end);
    onProgress({ done: Math.floor((dayEnd - from) / SLOT) + 1, total, slot: dayEnd });
  }
  const history = { name: HISTORY, cron: '', late: 'skip', run: async () => undefined } as const;
  await transact(works, now, (tx) => runJob(tx, works, history, { slot: end, now, signals: [] }));
}

function playDay(works: Works, first: number, last: number, end: number): Promise<void> {
  return transact(works, last, async (tx) => {
    for (let slot = first; slot <= last; slot += SLOT) {
      const signals = await works.source.observe(slot);
      for (const job of schedule) {
        const at = { slot, now: slot, signals, newest: slot === end };
        if (isDue(job, slot)) await runJob(tx, works, job, at);
      }
    }
  });
}
