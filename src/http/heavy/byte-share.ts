// How fast each address is sent bytes of the ledger. Tiles are free of units, so that anybody can verify all of the log,
// but they are read and sent by the thread that answers everybody. Past its speed an address waits for a moment, which a
// mirror does not notice; only one that asks for far more at once than its speed allows is refused.
import { setTimeout as delay } from 'node:timers/promises';
import { limitKey } from '../core/client-address.ts';
import { HttpError } from '../core/errors.ts';
import { evictOldest, secondsUntil } from '../core/rate-limit.ts';

/** What an address may be sent at once after a pause, as seconds of its speed. */
export const BURST_SECONDS = 4;
/** Longer than a reader with a few requests at once ever waits, and shorter than the patience of HTTP clients. */
export const LONGEST_WAIT_MS = 10_000;
/** Any request takes the thread about as long as this many bytes of entries. */
export const REQUEST_BYTES = 16 * 1024;
/**
 * A tile of level 0 is computed from its bundle, which takes as long as a bundle. At the default speed of an address this is
 * a twentieth of the thread's time; to count it as a bundle would halve the speed of every mirror.
 */
export const LEAF_TILE_BYTES = 64 * 1024;
/** About the mean length of an entry: how many bytes a bundle has is known once it was read. */
export const ENTRY_BYTES = 768;
/** Bounds the memory that requests from many addresses can use; past it, the one that asked least recently is forgotten. */
const MAX_KEYS = 50_000;

export interface ByteShare {
  /** Books the bytes. `wait`: milliseconds until they may be sent; past the longest wait nothing is booked. */
  book(key: string, now: number, bytes: number): { wait: number } | { refusedUntil: number };
  /** Books more, or gives back: the length is known only when the bytes were read. */
  correct(key: string, bytes: number): void;
}

/** `bytesPerSecond` is that of each key; at most the burst is saved up while nothing is sent. */
export function createByteShare(bytesPerSecond: number): ByteShare {
  /** When all that a key has booked is sent at its speed; the one that asked least recently first. */
  const sentBy = new Map<string, number>();
  const sendingTime = (bytes: number) => (bytes / bytesPerSecond) * 1000;
  return {
    book: (key, now, bytes) => {
      const earliest = now - BURST_SECONDS * 1000;
      const start = Math.max(sentBy.get(key) ?? earliest, earliest);
      const wait = Math.max(0, start - now);
      if (wait > LONGEST_WAIT_MS) return { refusedUntil: start - LONGEST_WAIT_MS };
      sentBy.delete(key);
      sentBy.set(key, start + sendingTime(bytes));
      if (sentBy.size > MAX_KEYS) evictOldest(sentBy);
      return { wait };
    },
    correct: (key, bytes) => {
      const until = sentBy.get(key);
      if (until !== undefined) sentBy.set(key, until + sendingTime(bytes));
    },
  };
}

/** Reads at the speed of the address; `expected` is about the length of what `read` returns, `least` what it counts as at least. */
export type PacedRead = <T extends { length: number }>(
  address: string,
  expected: number,
  read: () => Promise<T>,
  least?: number,
) => Promise<T>;

/** 0: as fast as it can be read. */
export function pacedRead(bytesPerSecond: number): PacedRead {
  if (bytesPerSecond === 0) return (_address, _expected, read) => read();
  const share = createByteShare(bytesPerSecond);
  return async (address, expected, read, least = REQUEST_BYTES) => {
    const key = limitKey(address);
    const now = performance.now();
    const booked = Math.max(expected, least);
    const booking = share.book(key, now, booked);
    if ('refusedUntil' in booking) throw tooFast(bytesPerSecond, secondsUntil(booking.refusedUntil, now));
    if (booking.wait >= 1) await delay(booking.wait, undefined, { ref: false });
    let bytes = least;
    try {
      const result = await read();
      bytes = Math.max(bytes, result.length);
      return result;
    } finally {
      share.correct(key, bytes - booked);
    }
  };
}

const tooFast = (limit: number, retryInSeconds: number): HttpError =>
  new HttpError(429, `rate limit exceeded: at most ${limit} bytes of the ledger in 1 second`, {
    limit,
    window_seconds: 1,
    retry_in_seconds: retryInSeconds,
    hint: 'tiles never change: read each once, a few at a time',
  });
