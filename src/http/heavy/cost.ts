// What a read costs, in units: a light read is one. The units of an address are counted against READ_RATE_LIMIT.
import type { InputSchema } from '../../operations/core/define.ts';
import { limitKey } from '../core/client-address.ts';
import { HttpError } from '../core/errors.ts';
import { type Limiter, WINDOW_SECONDS } from '../core/rate-limit.ts';

/** A question about more rows than this is heavy: it takes several milliseconds, and is not run on the request thread. */
export const HEAVY_ROWS = 50;
const ROWS_PER_UNIT = 100;
const BYTES_PER_UNIT = 64 * 1024;

export const unitsOfRows = (rows: number): number => rows / ROWS_PER_UNIT;
export const unitsOfBytes = (bytes: number): number => bytes / BYTES_PER_UNIT;

/** The client that a read is counted for. */
export interface ReadClient {
  /** The address as limits count it. */
  key: string;
  /** Before the work: throws a 429 if the address has too little left. */
  take(units: number): void;
  /** After the work, when its cost is known: what is more than was left is missing from the next request. */
  charge(units: number): void;
}

export function readClients(limiter: Limiter, now: () => number): (address: string) => ReadClient {
  return (address) => {
    const key = limitKey(address);
    return {
      key,
      take: (units) => {
        const wait = limiter.take(key, now(), units);
        if (wait) throw tooMuchRead(limiter.limit, wait);
      },
      charge: (units) => limiter.charge(key, now(), units),
    };
  };
}

/** Requests that another limit counts already. */
export const uncounted = (address: string): ReadClient => ({
  key: limitKey(address),
  take: () => undefined,
  charge: () => undefined,
});

const tooMuchRead = (limit: number, retryInSeconds: number): HttpError =>
  new HttpError(429, `rate limit exceeded: at most ${limit} units of reading in ${WINDOW_SECONDS} seconds`, {
    limit,
    window_seconds: WINDOW_SECONDS,
    retry_in_seconds: retryInSeconds,
    hint: `a request costs one unit, plus one for every ${ROWS_PER_UNIT} rows asked for and one for every ${BYTES_PER_UNIT / 1024} KiB answered`,
  });

const narrowing = ['limit', 'hours', 'days', 'days_back', 'since', 'window'];

/** Tells the caller which arguments make the question smaller. */
export function hintFor({ properties }: InputSchema): string {
  const names = narrowing.filter((name) => name in properties);
  return names.length
    ? `a smaller ${names.join(' or ')} is answered sooner`
    : 'once it has been answered, the same question is answered from a cache';
}
