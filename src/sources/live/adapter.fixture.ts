// What tests of adapters share: bodies, polls, and the recorded payloads that may lie beside the checkout.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Adapter,
  type FeedRequest,
  FeedShapeError,
  type ParsedFeed,
  type Poll,
} from '../core/adapter.ts';
import { isPlaceId } from '../core/rows/place-id.ts';

const payloads = join(import.meta.dirname, '../../../../shared/payloads');

/** For tests that read recorded payloads, which are not part of the repository. */
export const withPayloads = {
  skip: existsSync(payloads) ? false : 'no recorded payloads at ../shared/payloads',
};

export function readRecorded(path: string): Uint8Array {
  return readFileSync(join(payloads, path));
}

export function recordedNames(folder: string): string[] {
  return readdirSync(join(payloads, folder)).map((name) => `${folder}/${name}`);
}

export function bodyBytes(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

export function pollAt(points: Poll['points'], time_zone = 'Asia/Singapore'): Poll {
  return { now: Date.parse('2026-01-12T02:20:00Z'), points, time_zone };
}

export const singaporePoints = [
  { pocket_id: 'raffles-place', lat: 1.284, lng: 103.851 },
  { pocket_id: 'tampines-hub', lat: 1.353, lng: 103.94 },
];

/** Parses a body as the answer to the feed's only request, or to `request`. */
export function read<Settings>(
  adapter: Adapter<Settings>,
  settings: Settings,
  body: unknown,
  { poll = pollAt(singaporePoints), request }: { poll?: Poll; request?: FeedRequest } = {},
): ParsedFeed {
  const feed = { id: 'feed', settings };
  const [first] = adapter.requests(feed, poll);
  const asked = request ?? first;
  assert.ok(asked, 'the adapter asks for something');
  return adapter.parse(body instanceof Uint8Array ? body : bodyBytes(body), feed, asked, poll);
}

/** Measurements as `place field value @ time`, short enough for a table. */
export function lines({ measurements }: ParsedFeed): string[] {
  return measurements.map(({ place_id, field, value, state, observed_at }) => {
    const time = observed_at === null ? 'no time' : new Date(observed_at).toISOString().slice(0, 19);
    return `${place_id} ${field} ${state ?? Math.round(value * 1000) / 1000} @ ${time}`;
  });
}

export function refuses(parse: () => unknown, message: RegExp): void {
  assert.throws(parse, (error: Error) => {
    assert.ok(error instanceof FeedShapeError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

/** Null for a FeedShapeError; every other error goes on. */
export function parseOrRefuse<Result>(parse: () => Result): Result | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FeedShapeError) return null;
    throw error;
  }
}

/** What holds of everything that a parser returns. */
export function assertSound({ measurements, faults }: Pick<ParsedFeed, 'measurements' | 'faults'>): void {
  for (const { place_id, lat, lng, field, value, state, observed_at } of measurements) {
    assert.ok(isPlaceId(place_id) && field !== '', JSON.stringify(place_id));
    assert.equal(Number.isFinite(value), state === undefined, `${field} of ${place_id} is ${value}`);
    assert.equal(lat === null, lng === null);
    assert.ok(lat === null || (Math.abs(lat) <= 90 && Math.abs(lng ?? 0) <= 180), `${lat} ${lng}`);
    assert.ok(observed_at === null || Number.isSafeInteger(observed_at), String(observed_at));
  }
  for (const count of Object.values(faults)) assert.ok(Number.isInteger(count) && count > 0);
}
