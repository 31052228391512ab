// Every entry of `sources.json` that the docs show is one that the loader takes, and valid by the published schema.
import assert from 'node:assert/strict';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Compile } from 'typebox/schema';
import { pocketSignalKinds } from '../domain/signals/signal.ts';
import type { Feed } from '../sources/core/feed.ts';
import { feedProblems } from '../sources/live/all.ts';
import { examplesOn } from '../sources/live/recipes.fixture.ts';
import { cityDir } from './city-dir.ts';
import { schemaFiles } from './json-schema.ts';
import { loadCity } from './load.ts';

const root = join(import.meta.dirname, '../..');
const pages = ['*.md', 'docs/**/*.md', 'cities/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);
const isFeed = (example: unknown): example is Feed =>
  typeof example === 'object' && example !== null && 'adapter' in example;
const examples = pages.flatMap((page) => examplesOn(page).filter(isFeed));

const dir = mkdtempSync(join(tmpdir(), 'pocketwatch-test-'));
after(() => rmSync(dir, { recursive: true }));

describe('the feeds that the docs show', () => {
  test('are there for the most used adapters', () => {
    const shown = new Set(examples.map(({ adapter }) => adapter));
    for (const name of [
      'generic-json',
      'generic-csv',
      'mqtt',
      'files',
      'gbfs',
      'gtfs-realtime',
      'open-meteo',
    ])
      assert.ok(shown.has(name), name);
  });

  test('load together as the feeds of a city', () => {
    cpSync(cityDir('template'), dir, { recursive: true });
    const city = JSON.parse(readFileSync(join(dir, 'city.json'), 'utf8'));
    const priors = Object.fromEntries(pocketSignalKinds.map((kind) => [kind, { low: 0, high: 1 }]));
    writeFileSync(join(dir, 'city.json'), JSON.stringify({ ...city, priors }));
    writeFileSync(join(dir, 'sources.json'), JSON.stringify({ sources: examples }));
    assert.equal(loadCity(dir, feedProblems).feeds.length, examples.length);
  });

  test('are valid by the schema that an editor checks with', () => {
    const schema = Compile(JSON.parse(schemaFiles()['sources.schema.json'] ?? ''));
    for (const feed of examples) assert.deepEqual(schema.Errors({ sources: [feed] })[1], [], feed.id);
  });
});
