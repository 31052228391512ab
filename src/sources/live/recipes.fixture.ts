// The recipes of docs/sources.md, read from that page, and recorded answers where they lie beside the checkout.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FeedShapeError, type Poll } from '../core/adapter.ts';
import type { Feed } from '../core/feed.ts';
import type { Measurement } from '../core/measurement.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/sources.md'), 'utf8');

export const recipes: Feed[] = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
  JSON.parse(text),
);

export function recipe<Settings>(
  id: string,
  changes: Partial<Settings> = {},
): { id: string; settings: Settings; fields: Feed['fields'] } {
  const feed = recipes.find((candidate) => candidate.id === id);
  if (!feed) throw new Error(`docs/sources.md has no recipe ${id}`);
  return { id, settings: { ...feed.settings, ...changes } as Settings, fields: feed.fields };
}

const payloads = join(root, '../shared/payloads');

/** For `test` options: recorded answers are no part of the repository. */
export const withPayloads = existsSync(payloads) ? {} : { skip: `no recorded answers in ${payloads}` };

export const payload = (path: string): Uint8Array => readFileSync(join(payloads, path));

export const pollOf = (changes: Partial<Poll> = {}): Poll => ({
  now: Date.parse('2026-06-10T10:00:00Z'),
  points: [{ pocket_id: 'centre', lat: 51.96, lng: 7.63 }],
  time_zone: 'Europe/Berlin',
  ...changes,
});

export const bytes = (body: unknown): Uint8Array =>
  new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));

/** `place field value time`, as short as a table of expectations wants it; a state stands in the place of the value. */
export const asLine = ({ place_id, field, value, state, observed_at }: Measurement): string =>
  `${place_id} ${field} ${state ?? value} ${observed_at === null ? '-' : new Date(observed_at).toISOString().slice(0, 16)}`;

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
export function assertSound({ measurements }: { measurements: readonly Measurement[] }): void {
  for (const { place_id, lat, lng, value, state, observed_at } of measurements) {
    assert.equal(Number.isFinite(value), state === undefined);
    assert.ok(place_id.length > 0 && place_id.length <= 128);
    assert.equal(lat === null, lng === null);
    assert.ok(Math.abs(lat ?? 0) <= 90 && Math.abs(lng ?? 0) <= 180);
    assert.ok(observed_at === null || (Number.isInteger(observed_at) && observed_at > 0));
  }
}
