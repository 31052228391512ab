// The recipes of docs/sources.md and docs/sources, read from those pages.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Adapter, Poll } from '../core/adapter.ts';
import type { Feed } from '../core/feed.ts';
import type { Measurement } from '../core/measurement.ts';
import { bodyBytes } from './adapter.fixture.ts';
import { adapters, feedProblems } from './all.ts';

const root = join(import.meta.dirname, '../../..');

/** The examples in JSON on a page of the docs. */
export const examplesOn = (page: string): unknown[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
    JSON.parse(text),
  );

const pages = ['docs/sources.md', ...globSync('docs/sources/*.md', { cwd: root })];
export const recipes = pages.flatMap(examplesOn) as Feed[];

export function recipe<Settings>(
  id: string,
  changes: Partial<Settings> = {},
): { id: string; settings: Settings; fields: Feed['fields'] } {
  const feed = recipes.find((candidate) => candidate.id === id);
  if (!feed) throw new Error(`the docs have no recipe ${id}`);
  return { id, settings: { ...feed.settings, ...changes } as Settings, fields: feed.fields };
}

export const recipePoll = (changes: Partial<Poll> = {}): Poll => ({
  now: Date.parse('2026-06-10T10:00:00Z'),
  points: [{ pocket_id: 'centre', lat: 51.96, lng: 7.63 }],
  time_zone: 'Europe/Berlin',
  ...changes,
});

/** `place field value time`, as short as a table of expectations wants it; a state stands in the place of the value. */
export const asLine = ({ place_id, field, value, state, observed_at }: Measurement): string =>
  `${place_id} ${field} ${state ?? value} ${observed_at === null ? '-' : new Date(observed_at).toISOString().slice(0, 16)}`;

/** A small answer of a feed, and what a recipe reads of it. */
export interface Sample {
  body: unknown;
  now?: string;
  point?: { lat: number; lng: number };
  read: string[];
  faults?: Record<string, number>;
  /** How the address of the next page ends. */
  next?: string;
}

/** Tests that every recipe of a page for the generic adapters is accepted and reads its sample. */
export function testRecipes(page: string, samples: Record<string, Sample>): void {
  describe(`a recipe of ${page}`, () => {
    for (const feed of examplesOn(page) as Feed[]) {
      if (!feed.adapter.startsWith('generic-')) continue;
      test(`${feed.id} is a whole entry whose settings its adapter accepts`, () => {
        assert.deepEqual(feedProblems(feed), []);
        assert.ok(feed.title && feed.attribution && feed.licence && feed.publisher);
        assert.ok(feed.every_seconds >= 60);
        const read = Object.keys(feed.settings.fields as object);
        for (const field of Object.keys(feed.fields)) assert.ok(read.includes(field), field);
      });

      test(`${feed.id} reads a sample of its feed`, () => {
        const sample = samples[feed.id];
        assert.ok(sample, 'every recipe has a sample');
        const { measurements, faults, next } = readSample(feed, sample);
        assert.deepEqual(measurements.map(asLine), sample.read);
        assert.deepEqual(faults, sample.faults ?? {});
        assert.equal(next.length, sample.next ? 1 : 0);
        if (sample.next) assert.ok(next[0]?.url.endsWith(sample.next), next[0]?.url);
      });
    }
  });
}

export function readSample(
  { id, adapter: name, settings, fields }: Pick<Feed, 'id' | 'adapter' | 'settings' | 'fields'>,
  { body, now, point }: Omit<Sample, 'read'>,
): ReturnType<Adapter['parse']> {
  const adapter = adapters.find((each) => each.name === name);
  assert.ok(adapter, name);
  const poll = recipePoll({
    ...(now && { now: Date.parse(now) }),
    ...(point && { points: [{ pocket_id: 'centre', ...point }] }),
  });
  const [request] = adapter.requests({ id, settings }, poll);
  assert.ok(request);
  return adapter.parse(bodyBytes(body), { id, settings, fields }, request, poll);
}
