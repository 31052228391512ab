// Writes the first history: the same jobs as the live scheduler's, on a virtual clock. What they seal says so.
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { HistoryProgress } from '../../domain/text/history-progress.ts';
import { SLOT, slotStart } from '../../domain/time/slot.ts';
import { cityZone, type Zone } from '../../domain/time/zone.ts';
import { refuseWrongSlot } from '../../store/engine/clock.ts';
import type { Transaction } from '../../store/engine/store.ts';
import { meanCalmAt } from '../../store/observation/readings.ts';
import {
  advanceHistory,
  beginHistory,
  beginWithoutHistory,
  finishHistory,
  readHistory,
} from '../../store/runtime/history.ts';
import { lastRun, recordRuns } from '../../store/runtime/job-runs.ts';
import type { PipelineContext } from '../core/context.ts';
import { observeByDistrict, observeSlot } from '../core/slot-signals.ts';
import { isDue, schedule } from '../schedule/schedule.ts';
import { prepareJob, runClaimed, transact } from '../schedule/transact.ts';

export interface HistorySpan {
  from: number;
  now: number;
  /** By default it always returns `now`. */
  clock?: () => number;
  /** Once aborted, the current day is finished and no other begins. */
  signal?: AbortSignal;
}

type OnProgress = (progress: HistoryProgress) => unknown;

/** The start of the day `days` ago, or of the previous month, so that every report has a whole month to cover. */
export const historyStart = (now: number, zone: Zone, days?: number): number =>
  days === undefined ? zone.startOfMonth(now, -1) : zone.startOfDay(now, -days);

/**
 * Writes the history unless it is complete; false when there was nothing to write. A live city has none: what feeds gave
 * before the first start is not known. Refused while the clock is wrong.
 */
export async function ensureHistory(
  pipeline: PipelineContext,
  { days, clock, signal }: { days: number | undefined; clock: () => number; signal?: AbortSignal },
  onProgress?: OnProgress,
): Promise<boolean> {
  if ((await readHistory(pipeline.store)).finished) return false;
  const now = clock();
  await refuseWrongSlot(pipeline.store, now);
  if (pipeline.source.substrate !== 'simulated') {
    await pipeline.store.transaction((tx) => beginWithoutHistory(tx, slotStart(now), now));
    return false;
  }
  await backfill(
    pipeline,
    {
      from: historyStart(now, cityZone(pipeline.registry.city), days),
      now,
      clock,
      ...(signal && { signal }),
    },
    onProgress,
  );
  return true;
}

/**
 * Runs the schedule from `from` to `now`, a day per transaction: killed anywhere, it resumes after the last whole day.
 * The source must be able to give signals of the past.
 */
export async function backfill(
  pipeline: PipelineContext,
  { from, now, clock = () => now, signal }: HistorySpan,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const { store } = pipeline;
  const zone = cityZone(pipeline.registry.city);
  const began = performance.now();
  const realTime = () => Math.round(now + performance.now() - began);
  let until: number;
  do {
    until = slotStart(clock());
    const span = { from, until, now: realTime() };
    await store.transaction((tx) => beginHistory(tx, span));
    onProgress(await readHistory(store));
    const reached = await lastRun(store, 'atmosphere');
    let day = Math.max(from, (reached ?? Number.NEGATIVE_INFINITY) + SLOT);
    for (; day <= until; day = zone.startOfDay(day, 1)) {
      if (signal?.aborted) return;
      await writeDay(pipeline, { begin: day, until, realTime });
      onProgress(await readHistory(store));
      // SQLite's calls are synchronous: without this the message to stop would not arrive.
      await eventLoopTurn();
    }
    // Slots that became due meanwhile belong to the history too: the scheduler would skip them.
  } while (slotStart(clock()) > until);
  await store.transaction(finishHistory);
  onProgress(await readHistory(store));
}

async function writeDay(
  pipeline: PipelineContext,
  { begin, until, realTime }: { begin: number; until: number; realTime: () => number },
): Promise<void> {
  const zone = cityZone(pipeline.registry.city);
  const last = Math.min(zone.startOfDay(begin, 1) - SLOT, until);
  const districts = await pipeline.districts.load(pipeline);
  const writeSlots = async (tx: Transaction) => {
    // Another worker may have written the day while this one waited for the lock.
    const first = Math.max(begin, ((await lastRun(tx, 'atmosphere')) ?? 0) + SLOT);
    if (first > last) return;
    for (let slot = first; slot <= last; slot += SLOT) {
      const { source } = pipeline;
      const signals = districts.length ? [] : await observeSlot(source, tx, slot);
      const observe = await observeByDistrict(source, tx, slot, districts);
      const network_calm = districts.length ? await meanCalmAt(tx, slot - SLOT) : null;
      const due = schedule.filter((job) => isDue(job, slot, zone));
      await recordRuns(tx, due, slot, pipeline.worker);
      for (const job of due) {
        const at = { slot, now: slot, signals, newest: slot === until };
        const prepared = await prepareJob(job, tx, slot);
        if (!job.byDistrict || !districts.length) await runClaimed(tx, pipeline, prepared, at);
        else
          for (const district of districts) {
            const observed = job.observes ? await observe(district) : [];
            await runClaimed(tx, pipeline, prepared, { ...at, network_calm, signals: observed }, district);
          }
      }
    }
    const leaves = await pipeline.ledger.nextLeaf(tx);
    await advanceHistory(tx, { reached: last, now: realTime(), leaves });
  };
  return transact(pipeline, writeSlots, { virtualClock: true, districts });
}
