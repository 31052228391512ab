// The optional places.json of a city: what it must hold, and what the shipped ones list.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { metresBetween, type Position } from '../domain/city/distance.ts';
import { cityDir, shippedCities } from './city-dir.ts';
import { loadRegistry } from './load.ts';

const root = mkdtempSync(join(tmpdir(), 'places-'));
after(() => rmSync(root, { recursive: true }));

const base = cityDir('singapore');
const read = (file: string) => JSON.parse(readFileSync(join(base, file), 'utf8'));
const given = read('places.json');
const bugis = { id: 'bugis', name: 'Bugis', kind: 'station', lat: 1.3, lng: 103.856, aliases: [] };

/** A city with the pockets of Singapore and the given files. */
function load(files: Record<string, unknown>) {
  const dir = mkdtempSync(join(root, 'city-'));
  const all = { city: { ...read('city.json'), extends: base }, ...files };
  for (const [name, content] of Object.entries(all))
    writeFileSync(join(dir, `${name}.json`), JSON.stringify(content));
  return loadRegistry(dir);
}
const loadPlaces = (...places: unknown[]) => load({ places: { ...given, places } });

/** MRT stations within 2 km of a pocket: one that is missing in the file, or has moved away, is seen here. */
const stationsNearby = `
  Aljunied, Bayfront, Beauty World, Bedok, Bencoolen, Bendemeer, Bishan, Botanic Gardens, Bras Basah, Bright Hill,
  Bugis, Buona Vista, Caldecott, Cantonment, Chinatown, City Hall, Clarke Quay, Clementi, Commonwealth, Dakota,
  Dhoby Ghaut, Dover, Downtown, Esplanade, Eunos, Farrer Park, Farrer Road, Fort Canning, Great World, Havelock,
  Holland Village, Hume, Jalan Besar, Kallang, Katong Park, Kembangan, Kent Ridge, Keppel, King Albert Park, Lavender,
  Little India, Marina Bay, Marine Parade, Marine Terrace, Marymount, Maxwell, Mountbatten, Napier, Nicoll Highway,
  one-north, Orchard Boulevard, Outram Park, Paya Lebar, Prince Edward Road, Promenade, Queenstown, Raffles Place,
  Redhill, Rochor, Shenton Way, Siglap, Somerset, Stadium, Stevens, Tan Kah Kee, Tanjong Katong, Tanjong Pagar,
  Tanjong Rhu, Telok Ayer, Tiong Bahru, Upper Thomson`
  .split(',')
  .map((name) => name.trim());

describe('as shipped', () => {
  for (const name of ['singapore', 'melbourne', 'muenster']) {
    const { places, pockets, placesCredit } = loadRegistry(cityDir(name));
    const away = (place: Position) => Math.min(...pockets.map((pocket) => metresBetween(pocket, place)));

    test(`${name}: places near its pockets, with source and licence`, () => {
      assert.ok(places.length >= 12);
      for (const place of places) assert.ok(away(place) < 3000, `${place.id}: ${Math.round(away(place))} m`);
      assert.ok(placesCredit?.source.attribution && placesCredit.licence.name);
      assert.equal(new Set(places.map((place) => `${place.kind} ${place.name}`)).size, places.length);
    });
  }

  test('Singapore lists every station within 2 km of a pocket, each with a Chinese name', () => {
    const { places, pockets } = loadRegistry(base);
    const stations = places.filter(({ kind }) => kind === 'station');
    const near = stations.filter((station) =>
      pockets.some((pocket) => metresBetween(pocket, station) <= 2000),
    );
    assert.deepEqual(near.map(({ name }) => name).toSorted(), stationsNearby.toSorted());
    for (const { name, aliases } of stations) assert.match(aliases.join(), /\p{sc=Han}/u, name);
  });

  test('a station with the name of a pocket is at it', () => {
    const { places, pockets } = loadRegistry(base);
    const shared = pockets.flatMap((pocket) => {
      const station = places.find(({ kind, name }) => kind === 'station' && name === pocket.name);
      return station ? [{ name: pocket.name, away: metresBetween(pocket, station) }] : [];
    });
    assert.deepEqual(
      shared.map(({ name }) => name),
      ['Buona Vista', 'Holland Village', 'Siglap', 'Tanjong Katong', 'Tiong Bahru', 'Upper Thomson'],
    );
    for (const { name, away } of shared) assert.ok(away < 1100, `${name}: ${away}`);
  });

  test('the live Singapore has the places of the simulated one; a city without the file has none', () => {
    assert.deepEqual(loadRegistry(cityDir('singapore-live')).places, loadRegistry(base).places);
    for (const name of shippedCities().filter((each) => each === 'template')) {
      const { places, placesCredit } = loadRegistry(cityDir(name));
      assert.deepEqual([places, placesCredit], [[], undefined]);
    }
  });
});

test('a city with pockets of its own does not take the places of another', () => {
  assert.deepEqual(load({ pockets: read('pockets.json') }).places, []);
});

test('a list may be empty', () => assert.deepEqual(loadPlaces().places, []));

describe('refused', () => {
  const cases: [what: string, changes: Record<string, unknown>, problem: string][] = [
    ['no name', { name: undefined }, 'name is missing'],
    ['no aliases', { aliases: undefined }, 'aliases is missing'],
    ['a kind that is not known', { kind: 'bus' }, 'kind must be one of station, street, landmark'],
    ['off the globe', { lat: 91 }, 'lat must be a number, -90 to 90'],
    ['a field that is not known', { code: 'EW12' }, 'code is not a known field'],
    [
      'elsewhere',
      { lat: 51.96, lng: 7.63 },
      'lat and lng must be within 60 km of a pocket, but are 11089 km away',
    ],
  ];
  for (const [what, changes, problem] of cases)
    test(what, () => {
      assert.throws(() => loadPlaces({ ...bugis, ...changes }), {
        name: 'RegistryError',
        message: `places.json: entry 1 (bugis): ${problem}`,
      });
    });

  test('latitude and longitude exchanged', () => {
    const { lat, lng, ...pocket } = read('pockets.json').pockets[0];
    const pockets = { pockets: [{ ...pocket, lat: 51.96, lng: 7.63 }] };
    const places = { ...given, places: [{ ...bugis, lat: 7.63, lng: 51.96 }] };
    assert.throws(() => load({ pockets, places, outlets: { outlets: [] } }), {
      message: 'places.json: entry 1 (bugis): lat and lng are exchanged',
    });
  });

  test('the same id twice', () => {
    assert.throws(() => loadPlaces(bugis, { ...bugis, name: 'Bugis Junction' }), {
      message: 'places.json: entry 2 (bugis): id must be unique, but entry 1 has it too',
    });
  });

  test('no licence, no list', () => {
    assert.throws(() => load({ places: { ...given, licence: undefined } }), {
      message: 'places.json: licence is missing',
    });
    assert.throws(() => load({ places: { ...given, places: undefined } }), {
      message: 'places.json: places is missing',
    });
    assert.throws(() => load({ places: { ...given, places: Array.from({ length: 501 }, () => bugis) } }), {
      message: /^places\.json: places must be a list of up to 500 places/,
    });
  });
});
