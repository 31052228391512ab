// The queue of heavy work. Few tasks run at once and few wait; more are refused at once, so that a client knows when to
// come back and nothing piles up in memory. Clients take turns (turns.ts).
import { randomInt } from 'node:crypto';
import { HttpError } from '../core/errors.ts';
import { type PlaceLimits, Turns } from './turns.ts';

/** Pages have a lane of their own, so that somebody who reads never waits behind tables and the questions of programs. */
export type Lane = 'page' | 'data';

export interface HeavyQueue {
  /**
   * Throws a 503 with `hint` when too many tasks wait, in all or of this client; also while it waits, when another client
   * has a better claim to its place.
   */
  run<T>(client: string, lane: Lane, hint: string, task: () => Promise<T>): Promise<T>;
  /** For work that was begun before, such as the next batch of a table: it waits for its turn and is never refused. */
  resume<T>(client: string, task: () => Promise<T>): Promise<T>;
}

/** Of each lane. */
export interface QueueLimits extends PlaceLimits {
  running: number;
  /** After a task its place stays empty for so many times as long as the task took, */
  rest: number;
  /** or for as long as its bytes take at this speed, if that is longer. While both lanes are busy, for twice as long. */
  bytesPerSecond: number;
}

/**
 * Heavy work has a quarter of the time at most: the rest is for light requests, also on a machine with few cores. Its
 * bytes cost the request thread too, above all in garbage collection: each few megabytes of bodies start a full one.
 */
const defaultLimits: QueueLimits = {
  running: 1,
  rest: 3,
  bytesPerSecond: 1024 * 1024,
  waiting: 32,
  waitingPerClient: 8,
};
const LONGEST_REST_MS = 1000;
/** Random between these, so that clients that were refused together come back one by one. */
export const retryInSeconds = { least: 2, most: 8 };

interface Waiting {
  begin(): void;
  refuse(): void;
}

export function createHeavyQueue(limits: QueueLimits = defaultLimits): HeavyQueue {
  const createLane = () => ({ turns: new Turns<Waiting>(limits), running: 0 });
  const lanes = { page: createLane(), data: createLane() };
  type LaneState = ReturnType<typeof createLane>;

  /** Throws if the task may not wait. */
  const wait = (lane: LaneState, client: string, hint: string | undefined): Promise<void> =>
    new Promise((begin, reject) => {
      const refuse = () =>
        reject(tooBusy('too many heavy requests at once: try again in a while', hint ?? ''));
      const waiting = { begin, refuse };
      if (hint === undefined) {
        lane.turns.add(client, waiting);
        return;
      }
      const admission = lane.turns.admit(client, waiting);
      if (!admission.admitted) refuse();
      else admission.displaced?.refuse();
    });
  const enqueue = async <T>(
    lane: LaneState,
    client: string,
    hint: string | undefined,
    task: () => Promise<T>,
  ): Promise<T> => {
    if (lane.running >= limits.running) await wait(lane, client, hint);
    else lane.running += 1;
    const began = performance.now();
    let bytes = 0;
    try {
      const result = await task();
      bytes = resultBytes(result);
      return result;
    } finally {
      const took = performance.now() - began;
      const busyLanes = Object.values(lanes).filter(({ running }) => running > 0).length;
      const rest = Math.max(took * limits.rest, (bytes / limits.bytesPerSecond) * 1000) * busyLanes;
      if (rest < 1) handOver(lane);
      else setTimeout(handOver, Math.min(rest, LONGEST_REST_MS), lane).unref();
    }
  };
  /** The place is handed over, so that a task that arrives now does not overtake the waiting ones. */
  const handOver = (lane: LaneState) => {
    const next = lane.turns.next();
    if (next) next.begin();
    else lane.running -= 1;
  };

  return {
    run: (client, lane, hint, task) => enqueue(lanes[lane], client, hint, task),
    resume: (client, task) => enqueue(lanes.data, client, undefined, task),
  };
}

/** The length of what a task hands over to be sent: an answer, or a batch of a table. */
function resultBytes(result: unknown): number {
  const { bytes } = (result ?? {}) as { bytes?: Uint8Array };
  return bytes?.byteLength ?? 0;
}

/** A 503 that says when to come back, and what to ask instead. */
export function tooBusy(message: string, hint: string): HttpError {
  const seconds = randomInt(retryInSeconds.least, retryInSeconds.most + 1);
  return new HttpError(503, message, { hint, retry_in_seconds: seconds }, seconds);
}
