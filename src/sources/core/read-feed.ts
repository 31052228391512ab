// One poll of a feed: its requests, the bodies that come back, and the requests that those lead to. How a request is
// made, and what is done with a body, is passed in: the poller has a store behind it, `feeds check` has none.
import { printable } from '../../domain/text/printable.ts';
import {
  type Adapter,
  type FeedRequest,
  FeedShapeError,
  MOST_REQUESTS,
  MOST_VALUES,
  type ParsedFeed,
  type Poll,
} from './adapter.ts';
import type { Feed } from './feed.ts';
import { FetchError } from './fetch-error.ts';
import { addFaults, type FaultCounts, type Measurement } from './measurement.ts';

/** Null: the publisher says that nothing has changed. */
export type Ask = (request: FeedRequest) => Promise<AnswerBody | null>;

export interface AnswerBody {
  bytes: Uint8Array;
  /** Called with what the body gave, once it has been read. */
  read?: (rows: readonly Measurement[]) => void;
}

export interface FeedReading {
  /** In the order read, each with the number of the body that it came from. */
  rows: (Measurement & { body: number })[];
  faults: FaultCounts;
  /** Bodies read, and answers that nothing has changed. */
  bodies: number;
  unchanged: number;
  ttl_seconds: number;
  /** What ended the poll early; rows read before it are kept. */
  error: unknown;
}

export const noReading = (): FeedReading => ({
  rows: [],
  faults: {},
  bodies: 0,
  unchanged: 0,
  ttl_seconds: 0,
  error: undefined,
});

/** Adds what a body gave; `body` is its number. */
export function addRows(
  reading: FeedReading,
  { measurements, faults }: Pick<ParsedFeed, 'measurements' | 'faults'>,
  body = reading.bodies,
): void {
  for (const measurement of measurements) reading.rows.push({ ...measurement, body });
  addFaults(reading.faults, faults);
}

export async function readFeed(feed: Feed, adapter: Adapter, poll: Poll, ask: Ask): Promise<FeedReading> {
  const reading = noReading();
  try {
    const queue = adapter.requests(feed, poll);
    for (let i = 0; i < queue.length; i++) {
      const request = queue[i];
      if (!request) break;
      if (i >= MOST_REQUESTS) throw new FeedShapeError(`more than ${MOST_REQUESTS} requests a poll`);
      const answer = await ask(request);
      if (!answer) {
        reading.unchanged += 1;
        continue;
      }
      const parsed = adapter.parse(answer.bytes, feed, request, poll);
      const { measurements, next, ttl_seconds = 0 } = parsed;
      if (reading.rows.length + measurements.length > MOST_VALUES)
        throw new FeedShapeError(`more than ${MOST_VALUES} values a poll`);
      answer.read?.(measurements);
      addRows(reading, parsed);
      reading.bodies += 1;
      reading.ttl_seconds = Math.max(reading.ttl_seconds, ttl_seconds);
      for (const request of next) queue.push(request);
    }
  } catch (error) {
    reading.error = error;
  }
  return reading;
}

/** What may be shown of an error. Those of other kinds are faults of the program: their texts may hold anything. */
export function safeMessage(error: unknown): string {
  if (error instanceof FetchError || error instanceof FeedShapeError) return printable(error.message, 200);
  return `unexpected ${error instanceof Error ? error.name : 'error'} while reading the feed`;
}
