// Reads new events from the store when its revision changes, once for all clients, and finds where a client resumes.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY } from '../../domain/time/slot.ts';
import { StoreError } from '../../store/engine/store.ts';
import {
  eventsOfRun,
  newestStreamRun,
  type StreamRun,
  streamRunsAfter,
  streamRunsUpTo,
} from '../../store/report/stream-runs.ts';
import type { AppContext } from '../answers/app-context.ts';
import { type Batch, createBatch, EventBuffer, type Place } from './event-buffer.ts';
import { type Position, parseId } from './event-frames.ts';

/** How long events are kept for clients that resume: as far back as /api/stream lists by default. */
const KEPT_MS = DAY;
/** Several days of the shipped cities; more than the largest run of a city of ten thousand pockets. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Events of a batch: small enough to be sent in one write. */
const PAGE = 100;
const RUNS_PER_QUERY = 50;
const RETRY_MS = 1_000;

export interface Resumed extends Place {
  /** What the client has; undefined if that is not kept any more. */
  position?: Position;
  /** Set if the client has missed what is not kept any more: events follow from this time on, in epoch milliseconds. */
  gapFrom?: number;
}

export interface LiveEvents {
  /** Throws if the store cannot be read. Nothing is read before the first call. */
  resume(lastEventId: string): Promise<Resumed>;
  /** Undefined before the first `resume`. */
  readonly buffer: EventBuffer | undefined;
  stop(): void;
}

/** `onEvents` is called when the buffer has new ones, `onError` when they could not be read: it is tried again. */
export function createLiveEvents(
  context: Pick<AppContext, 'store' | 'dataVersion' | 'now' | 'registry'>,
  onEvents: () => void,
  onError: (error: unknown) => void,
  keptBytes: number = KEPT_BYTES,
): LiveEvents {
  const { store, dataVersion, now } = context;
  let buffer: EventBuffer | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;
  let unsubscribe: () => void = () => undefined;

  /** SQLite answers without a turn of the event loop: it is given one after each page, so that no request waits long. */
  const readBatches = async (run: StreamRun): Promise<Batch[]> => {
    const { currency } = context.registry.city;
    const batches: Batch[] = [];
    await nextTurn();
    for await (const events of eventsOfRun(store, run, PAGE)) {
      batches.push(createBatch(run, batches.length * PAGE, events, currency));
      await nextTurn();
    }
    return batches;
  };
  const begin = async (): Promise<EventBuffer> => {
    const { number: run, ran_at: ranAt } = (await newestStreamRun(store)) ?? { number: 0, ran_at: 0 };
    buffer = new EventBuffer(keptBytes, { run, ranAt });
    unsubscribe = dataVersion.subscribe(refresh);
    return buffer;
  };
  const readNew = async (held: EventBuffer) => {
    for (;;) {
      const runs = await streamRunsAfter(store, held.newest.run, RUNS_PER_QUERY);
      for (const run of runs) {
        // Read whole before it is added: a run that could not be read to its end is read again.
        const batches = await readBatches(run);
        held.append(run, batches, now() - KEPT_MS);
        if (batches.length) onEvents();
      }
      if (runs.length < RUNS_PER_QUERY) return;
    }
  };
  /** Adds earlier runs until the position is held, as far as they are kept. */
  const readOld = async (held: EventBuffer, position: Position) => {
    while (held.find(position) === 'older' && !held.isFull) {
      const runs = await streamRunsUpTo(store, held.oldest, now() - KEPT_MS, RUNS_PER_QUERY);
      if (!runs.length) return;
      for (const run of runs) {
        if (held.find(position) !== 'older' || held.isFull || run.number !== held.oldest) return;
        held.prepend(run, await readBatches(run));
      }
    }
  };

  // One task at a time changes the buffer; tasks that want the same wait for the same one.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
  let waiting: Promise<EventBuffer> | undefined;
  const readOnce = (): Promise<EventBuffer> => {
    waiting ??= inTurn(async () => {
      waiting = undefined;
      const held = buffer ?? (await begin());
      await readNew(held);
      return held;
    });
    return waiting;
  };
  const refresh = () => {
    clearTimeout(retry);
    readOnce().catch((error) => {
      if (stopped) return;
      if (!(error instanceof StoreError)) onError(error);
      retry = setTimeout(refresh, RETRY_MS).unref();
    });
  };

  const findPlace = async (held: EventBuffer, position: Position) => {
    let found = held.find(position);
    if (found === 'newer') {
      // Sent by another process, which has read a revision that this one has not polled yet.
      await readOnce();
      found = held.find(position);
    }
    if (found === 'older') {
      await inTurn(() => readOld(held, position));
      found = held.find(position);
    }
    return found;
  };

  return {
    get buffer() {
      return buffer;
    },
    resume: async (lastEventId) => {
      const held = buffer ?? (await readOnce());
      const fromNow = () => ({ next: held.endIndex, skip: 0, position: held.newest });
      if (!lastEventId) return fromNow();
      const position = parseId(lastEventId);
      const found = position ? await findPlace(held, position) : 'unknown';
      if (position && typeof found === 'object') return { ...found, position };
      if (found !== 'older') return { ...fromNow(), gapFrom: now() };
      return { next: held.firstIndex, skip: 0, gapFrom: held.from ?? now() };
    },
    stop: () => {
      stopped = true;
      clearTimeout(retry);
      unsubscribe();
    },
  };
}
