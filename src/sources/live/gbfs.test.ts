import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedRequest } from '../core/adapter.ts';
import {
  assertSound,
  lines,
  pollAt,
  read,
  readRecorded,
  recordedNames,
  refuses,
  withPayloads,
} from './adapter.fixture.ts';
import { gbfs } from './gbfs.ts';

const url = 'https://bikes.example/gbfs/gbfs.json';
const settings = { url };
const oslo = pollAt([{ pocket_id: 'sentrum', lat: 59.912, lng: 10.758 }], 'Europe/Oslo');
const files = (...names: string[]) =>
  names.map((name) => ({ name, url: `https://bikes.example/gbfs/${name}.json` }));
const file = (data: object, last_updated: unknown = 1631258631, ttl: unknown = 60) => ({
  last_updated,
  ttl,
  data,
});

/** Requests that lead to station_status and vehicles, as discovery and station_information give them. */
function requestsFor(information: unknown): { status: FeedRequest; vehicles: FeedRequest } {
  const discovery = file({ feeds: files('station_information', 'station_status', 'vehicle_status') });
  const [first, vehicles] = read(gbfs, settings, discovery, { poll: oslo }).next;
  assert.ok(first && vehicles);
  const [status] = read(gbfs, settings, information, { poll: oslo, request: first }).next;
  assert.ok(status);
  return { status, vehicles };
}

const stationOne = { station_id: 'one', lat: 59.9115, lon: 10.7579 };
const { status, vehicles } = requestsFor(
  file({ stations: [stationOne, { ...stationOne, station_id: 'two' }] }),
);
const readStatus = (stations: object[], last_updated?: unknown) =>
  read(gbfs, settings, file({ stations }, last_updated), { poll: oslo, request: status });
const readVehicles = (data: object) =>
  read(gbfs, { url, reach_m: 500 }, file(data), { poll: oslo, request: vehicles });

test('discovery by language and flat, and which files follow', () => {
  const all = ['system_information', 'station_information', 'station_status', 'free_bike_status'];
  const byLanguage = file({ nb: { feeds: files(...all) }, en: { feeds: [] } });
  const flat = file({ feeds: files('vehicle_status', 'geofencing_zones') });
  const next = (body: object, more: object = {}) =>
    read(gbfs, { url, ...more }, body, { poll: oslo }).next.map((request) => request.url.split('/').at(-1));
  assert.deepEqual(next(byLanguage), ['station_information.json', 'free_bike_status.json']);
  assert.deepEqual(next(byLanguage, { datasets: ['stations'] }), ['station_information.json']);
  assert.deepEqual(next(flat), ['vehicle_status.json']);
  assert.deepEqual(next(file({ feeds: files('station_status') })), ['station_status.json']);
  refuses(() => next(byLanguage, { language: 'en' }), /lists no file/);
  refuses(() => next(flat, { datasets: ['stations'] }), /lists no file/);
  refuses(() => next(file({})), /a list at data\.<language>\.feeds/);
});

test('files at other hosts are not asked for unless the city names them', () => {
  const elsewhere = (address: string, hosts: string[] = []) =>
    read(gbfs, { url, hosts }, file({ feeds: [{ name: 'station_status', url: address }] }), { poll: oslo })
      .next;
  for (const address of [
    'https://evil.example/station_status.json',
    'http://bikes.example/station_status.json',
    'file:///etc/passwd',
    'https://bikes.example:8443/x',
    'https://user:word@bikes.example/station_status.json',
    '',
  ])
    refuses(() => elsewhere(address), /at a host that may be asked/);
  assert.equal(
    elsewhere('https://data.example/s.json', ['data.example'])[0]?.url,
    'https://data.example/s.json',
  );
  assert.equal(elsewhere('station_status.json')[0]?.url, 'https://bikes.example/gbfs/station_status.json');
});

test('files that lead to others are asked for unconditionally, and only values report their ttl', () => {
  const discovery = gbfs.requests({ id: 'gbfs', settings }, oslo)[0];
  assert.equal(discovery?.unconditional, true);
  const [information] = read(
    gbfs,
    settings,
    file({ feeds: files('station_information', 'station_status') }),
    { poll: oslo },
  ).next;
  assert.ok(information?.unconditional);
  const answer = read(gbfs, settings, file({ stations: [] }, 1, 86_400), {
    poll: oslo,
    request: information,
  });
  assert.equal(answer.ttl_seconds, undefined);
  assert.equal(status.unconditional, undefined);
  assert.equal(readStatus([]).ttl_seconds, 60);
});

test('stations: names and times of 1.x, 2.x and 3.x', () => {
  const counts = { num_docks_available: 15, is_installed: 1, is_renting: 1, is_returning: 1 };
  const three = { is_installed: true, is_renting: true, is_returning: true, num_docks_available: 5 };
  const parsed = readStatus([
    { station_id: 'one', num_bikes_available: 5, ...counts, last_reported: 1631258600 },
    {
      station_id: 'two',
      num_vehicles_available: 3,
      num_vehicles_disabled: 2,
      ...three,
      last_reported: '2021-09-10T07:23:20.5+00:00',
    },
  ]);
  assert.deepEqual(lines(parsed), [
    'one bikes_available 5 @ 2021-09-10T07:23:20',
    'one docks_available 15 @ 2021-09-10T07:23:20',
    'one docks_taken_share 0.25 @ 2021-09-10T07:23:20',
    'two bikes_available 3 @ 2021-09-10T07:23:20',
    'two docks_available 5 @ 2021-09-10T07:23:20',
    'two docks_taken_share 0.5 @ 2021-09-10T07:23:20',
  ]);
  assert.deepEqual([parsed.measurements[0]?.lat, parsed.measurements[0]?.lng], [59.9115, 10.7579]);
  assert.deepEqual(parsed.faults, {});
});

test('a closed station is not an empty one', () => {
  const night = { num_bikes_available: 0, num_docks_available: 0, last_reported: 1631258600 };
  const parsed = readStatus([
    { station_id: 'one', ...night, is_installed: 1, is_renting: 0 },
    { station_id: 'two', ...night, is_installed: false, is_renting: true },
  ]);
  assert.deepEqual(parsed.faults, {});
  assert.deepEqual(
    lines(parsed),
    ['one', 'two'].flatMap((station) =>
      ['bikes_available', 'docks_available', 'docks_taken_share'].map(
        (field) => `${station} ${field} closed @ 2021-09-10T07:23:20`,
      ),
    ),
  );
  const empty = readStatus([{ station_id: 'one', ...night, is_installed: 1, is_renting: 1 }]);
  assert.deepEqual(lines(empty), [
    'one bikes_available 0 @ 2021-09-10T07:23:20',
    'one docks_available 0 @ 2021-09-10T07:23:20',
  ]);
});

test('a station that states its capacity gives it with its values, open or closed', () => {
  const stated = requestsFor(file({ stations: [{ ...stationOne, capacity: 20 }] })).status;
  for (const is_renting of [1, 0]) {
    const station = { station_id: 'one', num_bikes_available: 5, is_renting, last_reported: 1631258600 };
    const parsed = read(gbfs, settings, file({ stations: [station] }), { poll: oslo, request: stated });
    assert.equal(lines(parsed).at(-1), 'one capacity 20 @ 2021-09-10T07:23:20');
  }
});

test('stations twice, unknown, without docks, without an id, and never heard of', () => {
  const bikes = (station_id: unknown, num_bikes_available: number, last_reported?: number) => ({
    station_id,
    num_bikes_available,
    ...(last_reported === undefined ? {} : { last_reported }),
  });
  const parsed = readStatus([
    bikes('one', 10, 1631258631),
    bikes('one', 8, 1631258632),
    bikes('one', 9, 1631258630),
    bikes('unplaced', 4, 1631258631),
    bikes('two', 1, 0),
    bikes('', 2, 1631258631),
    bikes('untimed', 3),
  ]);
  assert.deepEqual(lines(parsed), [
    'one bikes_available 8 @ 2021-09-10T07:23:52',
    'unplaced bikes_available 4 @ 2021-09-10T07:23:51',
    'untimed bikes_available 3 @ 2021-09-10T07:23:51',
  ]);
  assert.deepEqual(parsed.faults, { duplicate: 2, bad_time: 1, bad_value: 1, bad_position: 2 });
});

test('free-floating vehicles are counted around pockets, without those that are taken or docked', () => {
  const vehicle = (id: string, more: object = {}, lat = 59.9121, lon = 10.7581) => ({
    bike_id: id,
    lat,
    lon,
    ...more,
  });
  const parsed = readVehicles({
    bikes: [
      vehicle('a'),
      vehicle('a'),
      vehicle('b', { is_reserved: false, is_disabled: 0 }),
      vehicle('reserved', { is_reserved: true }),
      vehicle('disabled', { is_disabled: 1 }),
      vehicle('docked', { station_id: 'one' }),
      vehicle('far', {}, 59.95, 10.7),
    ],
  });
  assert.deepEqual(lines(parsed), ['sentrum vehicles_nearby 2 @ 2021-09-10T07:23:51']);
  assert.deepEqual(parsed.faults, { duplicate: 1 });
  const far = readVehicles({ vehicles: [{ vehicle_id: 'far', lat: 59.95, lon: 10.7 }] });
  assert.equal(far.measurements[0]?.value, 0);
  const none = readVehicles({ vehicles: [] });
  assert.deepEqual([none.measurements, none.faults], [[], { no_data: 1 }]);
});

/** A recorded system: its status read with the positions of its own station_information. */
function readSystem(folder: string, point: { lat: number; lng: number }) {
  const poll = pollAt([{ pocket_id: 'here', ...point }]);
  const discovery = file({ feeds: files('station_information', 'station_status') });
  const [first] = read(gbfs, settings, discovery, { poll }).next;
  assert.ok(first);
  const information = read(gbfs, settings, readRecorded(`gbfs/${folder}/station_information.json`), {
    poll,
    request: first,
  });
  const [second] = information.next;
  assert.ok(second);
  const parsed = read(gbfs, settings, readRecorded(`gbfs/${folder}/station_status.json`), {
    poll,
    request: second,
  });
  for (const one of [information, parsed]) assertSound(one);
  return { information, parsed, places: new Set(parsed.measurements.map(({ place_id }) => place_id)).size };
}

test('recorded stations of 1.x, 2.x and 3.x are read', withPayloads, () => {
  const mexico = readSystem('v1_ecobici_recorded', { lat: 19.36, lng: -99.16 });
  assert.equal(mexico.parsed.ttl_seconds, 2);
  assert.ok(mexico.places > 15 && mexico.parsed.measurements.every(({ lat }) => lat !== null));
  const helsinki = readSystem('v2_helsinki_no-version', { lat: 60.16, lng: 24.95 });
  assert.ok(helsinki.places > 0 && (helsinki.information.faults.bad_value ?? 0) > 0);
  const lillestrom = readSystem('v2.2_lillestrom', { lat: 59.955, lng: 11.047 });
  assert.ok(lillestrom.places > 3);
  for (const folder of ['v2.3_entur-fixtures', 'v3.0_entur-fixtures']) {
    const { places, parsed } = readSystem(folder, { lat: 12.35, lng: 45.68 });
    assert.equal(places, 2);
    assert.deepEqual(parsed.faults, {});
  }
  for (const folder of ['v2_odd_duplicate-ids', 'v3.0_odd_duplicate-ids']) {
    const { parsed } = readSystem(folder, { lat: 59.91, lng: 10.76 });
    const bikes = parsed.measurements.filter(({ field }) => field === 'bikes_available');
    assert.deepEqual(
      bikes.map(({ place_id, value }) => [place_id, value]),
      [
        ['station_1', 5],
        ['station_duplicate', 8],
        ['station_3', 3],
      ],
    );
    assert.deepEqual(parsed.faults, { duplicate: 1 });
  }
});

test('recorded vehicles are counted', withPayloads, () => {
  const almere = pollAt([{ pocket_id: 'centrum', lat: 52.37, lng: 5.22 }]);
  const body = readRecorded('gbfs/v3.0_check_almere/vehicle_status.json');
  const parsed = read(gbfs, { url, reach_m: 20_000 }, body, { poll: almere, request: vehicles });
  assertSound(parsed);
  assert.ok((parsed.measurements[0]?.value ?? 0) > 0);
  assert.equal(parsed.measurements[0]?.field, 'vehicles_nearby');
});

test('every recorded file is read or refused as a whole, whatever file it was asked as', withPayloads, () => {
  const discovery = gbfs.requests({ id: 'gbfs', settings }, oslo);
  const folders = recordedNames('gbfs').filter((name) => !name.endsWith('.md'));
  for (const name of folders.flatMap(recordedNames))
    for (const request of [...discovery, status, vehicles])
      try {
        assertSound(read(gbfs, settings, readRecorded(name), { poll: oslo, request }));
      } catch (error) {
        assert.equal((error as Error).name, 'FeedShapeError', `${name}: ${error}`);
      }
});
