// Cities whose signals come from feeds: what the loader fills in, takes from another city and refuses.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Feed } from '../sources/core/feed.ts';
import { KEY_NAME_RULE } from '../sources/core/feed-keys.ts';
import { cityDir, shippedCities } from './city-dir.ts';
import { pocketCoverage } from './coverage.ts';
import { neutralCharacter } from './defaults.ts';
import { loadCity, loadRegistry } from './load.ts';

const root = mkdtempSync(join(tmpdir(), 'live-city-'));
after(() => rmSync(root, { recursive: true }));

const city = {
  name: 'Lowtown',
  time_zone: 'Europe/Berlin',
  currency: 'EUR',
  locale: 'de-DE',
  weekend: [5, 6],
  substrate: 'live',
  scales: 'learned',
  priors: { temperature_c: { low: 2, high: 22 } },
};

const pocket = (id: string, lat: number, changes: object = {}) => ({
  ...{ id, name: id, region: 'Centre', lat, lng: 7, aliases: [], character: { summary: 'a square' } },
  ...changes,
});

const feed = (changes: Partial<Feed> = {}): Feed => ({
  id: 'counters',
  title: 'People counted',
  adapter: 'generic-json',
  every_seconds: 300,
  reach_m: 500,
  fields: { people: { measures: 'crowd', what: 'people counted', points: 'up', fresh_minutes: 20 } },
  settings: {},
  ...changes,
});

const weather = feed({
  id: 'weather',
  fields: { temperature: { measures: 'temperature_c', what: 'air temperature', fresh_minutes: 60 } },
});

function write(files: Record<string, unknown>): string {
  const dir = mkdtempSync(join(root, 'city-'));
  const lists = { pockets: [pocket('here', 52)], outlets: [], intents: [], holidays: [], ...files };
  for (const [name, content] of Object.entries(lists))
    if (content !== undefined)
      writeFileSync(
        join(dir, `${name}.json`),
        JSON.stringify(name === 'city' ? content : { [name]: content }),
      );
  return dir;
}

describe('a live city', () => {
  test('needs no outlets, seed or simulated character', () => {
    const [here] = loadRegistry(write({ city })).pockets;
    assert.deepEqual(here?.character, { ...neutralCharacter, summary: 'a square' });
    assert.deepEqual(here?.expects, []);
  });

  test('expects what the feeds within reach of a pocket measure, unless it says so itself', () => {
    const counters = feed({ places: { a: { lat: 52.004, lng: 7 }, b: { pockets: ['far'] } } });
    const pockets = [
      pocket('near', 52),
      pocket('far', 52.1),
      pocket('alone', 52.2),
      pocket('own', 52, { expects: ['pm25'] }),
    ];
    const { registry, feeds } = loadCity(write({ city, pockets, sources: [counters, weather] }));
    assert.deepEqual(
      registry.pockets.map(({ expects }) => expects),
      [['temperature_c', 'crowd'], ['temperature_c', 'crowd'], ['temperature_c'], ['pm25']],
    );
    const [near] = registry.pockets;
    assert.ok(near);
    assert.deepEqual(
      pocketCoverage(near, feeds).map(({ places }) => places),
      [[{ id: 'a', metres: 445 }], 'all'],
    );
  });

  test('takes the lists that it lacks from another city', () => {
    const base = write({
      city,
      pockets: [pocket('base', 52)],
      holidays: [{ date: '2026-01-01', name: 'x' }],
    });
    const dir = mkdtempSync(join(root, 'city-'));
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'city.json'), JSON.stringify({ ...city, name: 'Uptown', extends: base }));
    writeFileSync(join(dir, 'holidays.json'), JSON.stringify({ holidays: [] }));
    const { city: own, pockets, holidays } = loadRegistry(dir);
    assert.deepEqual([own.name, pockets[0]?.id, holidays], ['Uptown', 'base', []]);
    assert.ok(!('extends' in own));
  });

  const entry = 'sources.json: entry 1 (counters): ';
  const { people } = feed().fields;
  const wrong: [what: string, changes: object, problem: string | RegExp][] = [
    [
      'an unknown adapter name',
      { adapter: 'Generic!' },
      `${entry}adapter must be 1-64 of lowercase letters, digits and hyphens`,
    ],
    ['a poll too often', { every_seconds: 1 }, `${entry}every_seconds must be a whole number, 10 to 86400`],
    [
      'a field that measures nothing known',
      { fields: { people: { measures: 'joy', what: 'x', fresh_minutes: 5 } } },
      /^sources\.json: entry 1 \(counters\): fields\.people\.measures must be one of rain_mm, .*, crowd$/,
    ],
    [
      'a crowd without direction',
      { fields: { people: { measures: 'crowd', what: 'x', fresh_minutes: 5 } } },
      `${entry}fields.people.points is missing: up or down as the pocket gets busier`,
    ],
    [
      'a direction of the weather',
      { fields: { t: { measures: 'temperature_c', what: 'x', points: 'up', fresh_minutes: 5 } } },
      `${entry}fields.t.points is only for crowd`,
    ],
    [
      'a word that means nothing known',
      { fields: { people: { ...people, words: { bes: 'crowded' } } } },
      `${entry}fields.people.words.bes must be one of full, empty, closed, no_data`,
    ],
    [
      'a status that is the field itself',
      { fields: { people: { ...people, status: { field: 'people', closed: [0] } } } },
      `${entry}fields.people.status.field must be another field: words of its own are in words`,
    ],
    [
      'a status without values',
      { fields: { people: { ...people, status: { field: 'state' } } } },
      `${entry}fields.people.status must list the values of a state: full, empty, closed or no_data`,
    ],
    [
      'a range upside down',
      { fields: { people: { ...people, range: { low: 5, high: 5 } } } },
      `${entry}fields.people.range.low must be below range.high`,
    ],
    [
      'a range of a sum',
      { fields: { people: { ...people, within_slot: 'sum', range: { high: 5 } } } },
      `${entry}fields.people.range is not for values that are added up within a slot`,
    ],
    [
      'a place with half a position',
      { places: { a: { lat: 52 } } },
      `${entry}places.a must have both lat and lng`,
    ],
    ['a place nowhere', { places: { a: {} } }, `${entry}places.a must have a position or a list of pockets`],
    [
      'a place of no pocket',
      { places: { a: { pockets: ['gone'] } } },
      `${entry}places.a: pocket gone is not in pockets.json`,
    ],
    [
      'a field name with a space',
      { fields: { 'a b': {} } },
      `${entry}fields must be an object of field names without spaces`,
    ],
    [
      'a key in the file',
      { key: { env: 'secret', header: 'x-key' } },
      `${entry}key.env must be ${KEY_NAME_RULE}`,
    ],
  ];
  for (const [what, changes, message] of wrong) {
    test(`refuses ${what}`, () => {
      const dir = write({ city, sources: [{ ...feed(), ...changes }] });
      assert.throws(() => loadRegistry(dir), { name: 'RegistryError', message });
    });
  }

  test('refuses two feeds of one id, a missing prior, a seed, and settings that the adapter refuses', () => {
    assert.throws(() => loadRegistry(write({ city, sources: [feed(), feed()] })), {
      message: 'sources.json: entry 2 (counters): id must be unique, but entry 1 has it too',
    });
    assert.throws(() => loadRegistry(write({ city: { ...city, priors: {} }, sources: [weather] })), {
      message: 'city.json: priors.temperature_c is missing: scales is learned, and sources.json measures it',
    });
    assert.throws(() => loadRegistry(write({ city: { ...city, seed: 'x' } })), {
      message: 'city.json: seed is only for a simulated city',
    });
    assert.throws(() => loadCity(write({ city, sources: [feed()] }), () => ['settings.url is missing']), {
      message: `${entry}settings.url is missing`,
    });
  });

  test('and a simulated one has no feeds', () => {
    const simulated = { ...city, substrate: 'simulated', seed: 'x' };
    const { character } = loadRegistry(cityDir('singapore')).pockets[0] ?? assert.fail();
    const dir = write({ city: simulated, pockets: [pocket('here', 52, { character })], sources: [feed()] });
    assert.throws(() => loadRegistry(dir), {
      message: 'sources.json must be empty or absent where substrate is simulated',
    });
  });
});

test('every shipped city loads, by its name alone', () => {
  assert.ok(shippedCities().includes('singapore'));
  for (const name of shippedCities()) loadCity(cityDir(name));
  for (const name of ['atlantis', '..', '../singapore', 'schema', ''])
    assert.throws(
      () => cityDir(name),
      /^RegistryError: there is no city of that name: CITY is one of .*singapore/,
    );
});
