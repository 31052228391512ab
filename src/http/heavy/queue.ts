// The queue of heavy work. Few tasks run at once and few wait; more are refused at once, so that a client knows when to
// come back and nothing piles up in memory.
import { randomInt } from 'node:crypto';
import { HttpError } from '../core/errors.ts';

export interface HeavyQueue {
  /** Throws a 503 with `hint` when too many tasks wait, in all or of this client. */
  run<T>(client: string, hint: string, task: () => Promise<T>): Promise<T>;
  /** For work that was begun before, such as the next batch of a table: it waits for its turn and is never refused. */
  resume<T>(client: string, task: () => Promise<T>): Promise<T>;
}

export interface QueueLimits {
  running: number;
  /** After a task its place stays empty for so many times as long as the task took, */
  rest: number;
  /** or for as long as its bytes take at this speed, if that is longer. */
  bytesPerSecond: number;
  waiting: number;
  waitingPerClient: number;
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
  client: string;
  begin: () => void;
}

export function createHeavyQueue(limits: QueueLimits = defaultLimits): HeavyQueue {
  const waiting: Waiting[] = [];
  let running = 0;

  const enqueue = async <T>(client: string, task: () => Promise<T>): Promise<T> => {
    if (running >= limits.running)
      await new Promise<void>((begin) => {
        waiting.push({ client, begin });
      });
    else running += 1;
    const began = performance.now();
    let bytes = 0;
    try {
      const result = await task();
      bytes = bytesOf(result);
      return result;
    } finally {
      const took = performance.now() - began;
      const rest = Math.min(
        LONGEST_REST_MS,
        Math.max(took * limits.rest, (bytes / limits.bytesPerSecond) * 1000),
      );
      if (rest < 1) handOver();
      else setTimeout(handOver, rest).unref();
    }
  };
  /** The place is handed over, so that a task that arrives now does not overtake the waiting ones. */
  const handOver = () => {
    const next = waiting.shift();
    if (next) next.begin();
    else running -= 1;
  };
  const isFull = (client: string): boolean =>
    running >= limits.running &&
    (waiting.length >= limits.waiting ||
      waiting.filter((other) => other.client === client).length >= limits.waitingPerClient);

  return {
    run: async (client, hint, task) => {
      if (isFull(client)) throw tooBusy('too many heavy requests at once: try again in a while', hint);
      return enqueue(client, task);
    },
    resume: enqueue,
  };
}

/** The length of what a task hands over to be sent: an answer, or a batch of a table. */
function bytesOf(result: unknown): number {
  const { bytes } = (result ?? {}) as { bytes?: Uint8Array };
  return bytes?.byteLength ?? 0;
}

/** A 503 that says when to come back, and what to ask instead. */
export function tooBusy(message: string, hint: string): HttpError {
  const seconds = randomInt(retryInSeconds.least, retryInSeconds.most + 1);
  return new HttpError(503, message, { hint, retry_in_seconds: seconds }, seconds);
}
