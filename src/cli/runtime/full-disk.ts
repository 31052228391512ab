// A full disk stops writing and nothing else. The process that answers hears of it from its own writes and from the
// pipeline that it hosts, and says so once: when writing stops, and when it goes on.
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { durationText } from '../../domain/text/duration.ts';
import { iso, MINUTE } from '../../domain/time/slot.ts';
import { MAX_SLEEP_MS } from '../../pipeline/schedule/scheduler.ts';
import { fullDiskText, type Store } from '../../store/engine/store.ts';

/** Who writes: requests (submissions, and what is recorded beside them), or the pipeline. */
export type StoreWriter = 'requests' | 'pipeline';

export interface FullDisk {
  /** Since when nothing is written; undefined while there is room. */
  since(): number | undefined;
  /** A write has failed; `detail` says what could not grow, and where to make room. */
  met(writer: StoreWriter, detail: string): void;
  wrote(writer: StoreWriter): void;
}

/**
 * Little fits where much does not. So a writer goes on by a success of its own, and a request's does not count shortly
 * after another one's failure; what the pipeline writes is more than any request does, and counts for both.
 */
const SETTLED_MS = 10_000;

/** `location` names the store. */
export function watchFullDisk(
  location: string,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
  now: () => number = Date.now,
): FullDisk {
  /** When each writer last failed, until it has written. */
  const failed = new Map<StoreWriter, number>();
  let since: number | undefined;
  return {
    since: () => since,
    met: (writer, detail) => {
      failed.set(writer, now());
      if (since !== undefined) return;
      since = now();
      log.error(
        { since: iso(since), detail },
        `the disk of ${location} is full: nothing is written, and answers go on; make room there, and writing resumes by itself`,
      );
    },
    wrote: (writer) => {
      if (since === undefined) return;
      if (writer === 'pipeline') failed.clear();
      else if (now() - (failed.get(writer) ?? 0) >= SETTLED_MS) failed.delete(writer);
      if (failed.size > 0) return;
      log.warn(
        { since: iso(since) },
        `the disk of ${location} has room again: writing resumed after ${durationText(Math.ceil((now() - since) / MINUTE))}`,
      );
      since = undefined;
    },
  };
}

/** The same store, of whose transactions `fullDisk` hears. */
export const watchedStore = (store: Store, fullDisk: FullDisk): Store => ({
  ...store,
  transaction: async (work, changes) => {
    try {
      const result = await store.transaction(work, changes);
      fullDisk.wrote('requests');
      return result;
    } catch (error) {
      const detail = fullDiskText(error);
      if (detail !== undefined) fullDisk.met('requests', detail);
      throw error;
    }
  },
});

/** Tells of every other fault: a full disk is told by itself, once. */
export const unlessFull =
  (tell: (error: unknown) => void) =>
  (error: unknown): void => {
    if (fullDiskText(error) === undefined) tell(error);
  };

/** Does `work`, and tries again while the disk is full, at the scheduler's pace; undefined if `signal` aborts first. */
export async function untilRoom<T>(
  work: () => Promise<T>,
  onFull: (detail: string) => void,
  signal: AbortSignal,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      const detail = fullDiskText(error);
      if (detail === undefined) throw error;
      onFull(detail);
    }
    await delay(MAX_SLEEP_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}
