// Asks the emulator as each adapter asks its publisher: the chosen values come back, for the chosen places and times.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Adapter, Poll } from '../../../src/sources/core/adapter.ts';
import { lines } from '../../../src/sources/live/adapter.fixture.ts';
import { dataGovSg } from '../../../src/sources/live/data-gov-sg.ts';
import { gbfs } from '../../../src/sources/live/gbfs.ts';
import { genericCsv } from '../../../src/sources/live/generic-csv.ts';
import { genericJson } from '../../../src/sources/live/generic-json.ts';
import { gtfsRealtime } from '../../../src/sources/live/gtfs-realtime.ts';
import { ltaDatamall } from '../../../src/sources/live/lta-datamall.ts';
import { openMeteo } from '../../../src/sources/live/open-meteo.ts';
import { dailyCurve } from './daily-curve.ts';
import { pollFeed } from './poll-feed.ts';
import { type FeedServer, startFeedServer } from './server.ts';
import { type Places, tableValues } from './view.ts';

const NOW = Date.parse('2026-01-12T02:17:40Z');
/** Some eleven kilometres apart. */
const north = { id: 'NE1', lat: 1.4, lng: 103.8 };
const south = { id: 'NE9', lat: 1.3, lng: 103.8 };
const points = [north, south].map(({ id, lat, lng }) => ({ pocket_id: id, lat, lng }));
const poll: Poll = { now: NOW, points, time_zone: 'Asia/Singapore' };

const places: Places = {
  '*': [north, south],
  'lta-datamall.free_lots': Array.from({ length: 1203 }, (_, n) => ({ ...south, id: `P${n}` })),
  opendatasoft: [
    { id: '2', lat: -37.81, lng: 144.96 },
    { id: '3', lat: -37.8, lng: 144.95 },
  ],
  'muenster-parking': [{ id: 'ph-theater', name: 'PH Theater', lat: 51.9657, lng: 7.6265 }],
  'muenster-bikes': [{ id: '300038855', name: 'Promenade', lat: 51.956, lng: 7.6186 }],
};
/** The value in the north and the value in the south. */
const table = Object.fromEntries(
  Object.entries({
    'data-gov-sg.rain_mm_5min': [0.4, 0],
    'data-gov-sg.temperature_c': [27.3, 28.1],
    'data-gov-sg.humidity_pct': [81.5, 77],
    'data-gov-sg.pm25_ug_m3': [13, 19],
    'data-gov-sg.forecast_rain': [0.6, 0],
    'data-gov-sg.wbgt_c': [26.3, 29],
    'data-gov-sg.lightning_strikes': [3, 0],
    'data-gov-sg.free_taxis': [21, 5],
    'data-gov-sg.free_lots': [25, 100],
    'data-gov-sg.total_lots': [100, 200],
    'lta-datamall.speed_kmh': [34.5, 79],
    'lta-datamall.platform_crowding': [0.9, 0.2],
    'open-meteo.temperature_c': [26.4, 31],
    'open-meteo.humidity_pct': [80, 60],
    'open-meteo.rain_mm_15min': [0.2, 0],
    'open-meteo.wind_kmh': [12.5, 7],
    'open-meteo.weather_code': [61, 3],
    'open-meteo.pm25_ug_m3': [13.7, 8],
    'open-meteo.pm10_ug_m3': [25.3, 12],
    'gbfs.bikes_available': [5, 12],
    'gbfs.docks_available': [15, 4],
    'gbfs.vehicles_nearby': [7, 2],
    'gtfs-realtime.vehicles': [4, 1],
    'gtfs-realtime.occupancy_share': [0.55, 0.1],
    'gtfs-realtime.speed_kmh': [18, 36],
  }).map(([feed, [first = 0, second = 0]]) => [feed, { [north.id]: first, [south.id]: second }]),
);

let server: FeedServer;
before(async () => {
  const values = tableValues(
    { ...table, 'lta-datamall.disruption': { NEL: 1 } },
    // Elsewhere the value is the minute of the day, in UTC, so that it shows the time that it was asked for.
    (feed, _place, time) => (feed.endsWith('disruption') ? 0 : Math.floor((time % 86_400_000) / 60_000)),
  );
  server = await startFeedServer({ now: () => NOW, values, places, lta_key: 'k1', page_places: 1 });
});
after(() => server.close());

interface Case {
  adapter: Adapter;
  settings: () => object;
  /** `place field value @ time`, of the first and the second place. */
  expected: string[];
}

const singapore = (dataset: string, ...expected: string[]): Case => ({
  adapter: dataGovSg as Adapter,
  settings: () => ({
    datasets: [dataset],
    v1_url: `${server.url}/data-gov-sg/v1`,
    v2_url: `${server.url}/data-gov-sg/v2`,
  }),
  expected,
});
const lta = (dataset: string, ...expected: string[]): Case => ({
  adapter: ltaDatamall as Adapter,
  settings: () => ({
    datasets: [dataset],
    train_lines: ['NEL', 'EWL'],
    base_url: `${server.url}/lta-datamall`,
  }),
  expected,
});
const both = (field: string, first: number, second: number, time: string): string[] => [
  `NE1 ${field} ${first} @ ${time}`,
  `NE9 ${field} ${second} @ ${time}`,
];
const hire = (version: string): Case => ({
  adapter: gbfs as Adapter,
  settings: () => ({ url: `${server.url}/gbfs/${version}/gbfs.json` }),
  expected: [
    ...both('vehicles_nearby', 7, 2, '2026-01-12T02:17:40'),
    ...both('bikes_available', 5, 12, '2026-01-12T02:17:00'),
    ...both('docks_available', 15, 4, '2026-01-12T02:17:00'),
    ...both('docks_taken_share', 0.25, 0.75, '2026-01-12T02:17:00'),
    ...both('capacity', 20, 20, '2026-01-12T02:17:00'),
  ],
});

const cases: Record<string, Case> = {
  'rain, a station a page': singapore('rainfall', ...both('rain_mm_5min', 0.4, 0, '2026-01-12T02:15:00')),
  temperature: singapore('air-temperature', ...both('temperature_c', 27.3, 28.1, '2026-01-12T02:17:00')),
  humidity: singapore('relative-humidity', ...both('humidity_pct', 81.5, 77, '2026-01-12T02:17:00')),
  'fine dust': singapore('pm25', ...both('pm25_ug_m3', 13, 19, '2026-01-12T02:00:00')),
  forecast: singapore('two-hr-forecast', ...both('forecast_rain', 0.6, 0, '2026-01-12T02:00:00')),
  WBGT: singapore('wbgt', ...both('wbgt_c', 26.3, 29, '2026-01-12T02:15:00')),
  lightning: singapore('lightning', ...both('lightning_strikes', 3, 0, '2026-01-12T02:16:00')),
  taxis: singapore('taxi-availability', ...both('free_taxis', 21, 5, '2026-01-12T02:17:30')),
  'car parks of data.gov.sg': singapore(
    'carpark-availability',
    ...both('free_lots', 25, 100, '2026-01-12T02:17:00'),
    ...both('total_lots', 100, 200, '2026-01-12T02:17:00'),
    ...both('occupancy_share', 0.75, 0.5, '2026-01-12T02:17:00'),
  ),
  roads: lta('speed-bands', ...both('speed_kmh', 34.5, 74.5, '2026-01-12T02:15:00')),
  platforms: lta('platform-crowding', ...both('platform_crowding', 0.9, 0.2, '2026-01-12T02:10:00')),
  'train disruptions': lta('train-alerts', 'NEL disruption 1 @ no time', 'EWL disruption 0 @ no time'),
  'weather and air': {
    adapter: openMeteo as Adapter,
    settings: () => ({
      datasets: ['weather', 'air'],
      weather_url: `${server.url}/open-meteo`,
      air_url: `${server.url}/open-meteo`,
    }),
    expected: [
      ...both('temperature_c', 26.4, 31, '2026-01-12T02:15:00'),
      ...both('humidity_pct', 80, 60, '2026-01-12T02:15:00'),
      ...both('rain_mm_15min', 0.2, 0, '2026-01-12T02:15:00'),
      ...both('wind_kmh', 12.5, 7, '2026-01-12T02:15:00'),
      ...both('weather_code', 61, 3, '2026-01-12T02:15:00'),
      ...both('pm25_ug_m3', 13.7, 8, '2026-01-12T02:00:00'),
      ...both('pm10_ug_m3', 25.3, 12, '2026-01-12T02:00:00'),
    ],
  },
  'GBFS 2.3': hire('2'),
  'GBFS 3.0': hire('3'),
  'GTFS-realtime': {
    adapter: gtfsRealtime as Adapter,
    settings: () => ({ url: `${server.url}/gtfs-realtime/vehicle-positions.pb` }),
    expected: [
      ...both('vehicles', 4, 1, '2026-01-12T02:17:40'),
      ...both('occupancy_share', 0.55, 0.1, '2026-01-12T02:17:40'),
      ...both('speed_kmh', 18, 36, '2026-01-12T02:17:40'),
    ],
  },
};

for (const [name, { adapter, settings, expected }] of Object.entries(cases))
  test(`${name}: the chosen values come back`, async () => {
    const read = await pollFeed(adapter, settings(), poll, { AccountKey: 'k1' });
    assert.deepEqual(lines(read).sort(), expected.toSorted());
    assert.deepEqual(read.faults, {});
    for (const { place_id, lat, lng } of read.measurements.filter((row) => row.lat !== null)) {
      const place = place_id === north.id ? north : south;
      assert.deepEqual([lat, lng?.toFixed(9)], [place.lat, place.lng.toFixed(9)]);
    }
  });

test('car parks of LTA: pages of 500 rows, by $skip', async () => {
  const { adapter, settings } = lta('car-parks');
  const before = server.requests.length;
  const { measurements } = await pollFeed(adapter, settings(), poll, { AccountKey: 'k1' });
  assert.equal(measurements.length, 1203);
  assert.deepEqual(new Set(measurements.map(({ value }) => value)), new Set([137]));
  assert.deepEqual(
    server.requests.slice(before).map(({ query }) => query),
    ['', '?$skip=500', '?$skip=1000'],
  );
});

test('LTA refuses another AccountKey; what was sent is on record', async () => {
  const url = `${server.url}/lta-datamall/TrainServiceAlerts`;
  const fetchStatus = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
  assert.equal(await fetchStatus({}), 401);
  assert.equal(await fetchStatus({ AccountKey: 'other' }), 401);
  assert.equal(server.requests.at(-1)?.headers.accountkey, 'other');
  assert.equal(await fetchStatus({ AccountKey: 'k1' }), 200);
});

/** The feed as the shipped city describes it, at the emulator's address. */
function shipped(city: string, id: string, from: string, to: string): object {
  const file = join(import.meta.dirname, '../../../cities', city, 'sources.json');
  const { sources } = JSON.parse(readFileSync(file, 'utf8').replaceAll(from, `${server.url}/${to}`)) as {
    sources: { id: string; settings: object }[];
  };
  return sources.find((feed) => feed.id === id)?.settings ?? {};
}

test("Melbourne's counters: each minute of the past hour, in pages of 100 rows", async () => {
  const settings = shipped(
    'melbourne',
    'melbourne-pedestrians',
    'https://data.melbourne.vic.gov.au',
    'opendatasoft',
  );
  const read = await pollFeed(genericJson as Adapter, settings, {
    ...poll,
    time_zone: 'Australia/Melbourne',
  });
  assert.equal(read.measurements.length, 120);
  assert.deepEqual(read.faults, {});
  assert.deepEqual(lines(read).slice(0, 3), [
    '2 people_per_minute 137 @ 2026-01-12T02:17:00',
    '3 people_per_minute 137 @ 2026-01-12T02:17:00',
    '2 people_per_minute 136 @ 2026-01-12T02:16:00',
  ]);
});

test("Münster's car parks: the rows of the day in local time", async () => {
  const from = 'https://raw.githubusercontent.com/codeformuenster/parking-decks-muenster';
  const settings = shipped('muenster', 'parking', from, 'muenster-parking');
  const read = await pollFeed(
    genericCsv as Adapter,
    { ...settings, wide: { columns: { 'PH Theater': 'ph-theater' } } },
    { ...poll, time_zone: 'Europe/Berlin' },
  );
  assert.deepEqual(read.faults, {});
  assert.equal(lines(read).at(-1), 'ph-theater free_spaces 135 @ 2026-01-12T02:15:00');
});

test("Münster's bike counters: a file for each counter and month", async () => {
  const from = 'https://raw.githubusercontent.com/od-ms/radverkehr-zaehlstellen';
  const settings = { ...shipped('muenster', 'bike_counter', from, 'muenster-bikes'), ids: ['300038855'] };
  const read = await pollFeed(genericCsv as Adapter, settings, { ...poll, time_zone: 'Europe/Berlin' });
  assert.deepEqual(read.faults, {});
  assert.equal(lines(read).at(-1), '300038855 bikes_15min 120 @ 2026-01-12T02:00:00');
});

test('an address that no publisher has is 404', async () => {
  for (const path of ['/gbfs/4/gbfs.json', '/other', '/toString/x'])
    assert.equal((await fetch(`${server.url}${path}`)).status, 404, path);
});

test('the default values follow the day, and are the same for everybody', () => {
  const hour = (n: number) => dailyCurve('lta-datamall.free_lots', south, Date.UTC(2026, 0, 12, n - 7));
  assert.ok(hour(3) > hour(12) && hour(12) > hour(18));
  assert.equal(hour(18), hour(18 + 24));
});

test('requests are on record with their times; places count as requests to Open-Meteo', async () => {
  let now = NOW;
  const own = await startFeedServer({ now: () => now });
  const weather = async (count: number) => {
    const numbers = Array.from({ length: count }, () => '1').join(',');
    await (await fetch(`${own.url}/open-meteo/v1/forecast?latitude=${numbers}&longitude=${numbers}`)).text();
  };
  await weather(3);
  now += 5_000;
  await weather(4);
  now += 6_000;
  await weather(2);
  assert.deepEqual(
    [10, 11, 12].map((seconds) => own.mostWithin('open-meteo', seconds)),
    [7, 7, 9],
  );
  assert.equal(own.mostWithin('nobody', 10), 0);
  const last = own.requests.at(-1);
  assert.deepEqual([last?.at, last?.path, last?.cost], [now, '/open-meteo/v1/forecast', 2]);
  await own.close();
});
