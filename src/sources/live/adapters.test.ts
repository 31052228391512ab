// Rules over all adapters that are written for one publisher or standard, whatever the body.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { readFeedKeys } from '../../config.ts';
import type { Adapter, FeedRequest } from '../core/adapter.ts';
import { feedKey } from '../core/ask-feed.ts';
import type { Feed } from '../core/feed.ts';
import { isKeyName } from '../core/feed-keys.ts';
import { assertSound, bodyBytes, parseOrRefuse, pollAt } from './adapter.fixture.ts';
import { adapters } from './all.ts';
import { dataGovSg } from './data-gov-sg.ts';
import { gbfs } from './gbfs.ts';
import { gtfsFeed, NOW } from './gtfs-feed.fixture.ts';
import { gtfsRealtime } from './gtfs-realtime.ts';
import { ltaDatamall } from './lta-datamall.ts';
import { openMeteo } from './open-meteo.ts';

const point = { pocket_id: 'here', lat: 1.3, lng: 103.8 };
const poll = pollAt([point]);
const at = '2026-01-12T10:15:00+08:00';
const location = { latitude: 1.3, longitude: '103.8' };

/** Those that are written for one publisher or standard: each must have samples below. */
const fixed = adapters.filter(({ about }) => about.fields);

interface Sample {
  adapter: Adapter;
  settings: object;
  part?: string;
  body: unknown;
}

const v2 = (dataset: string, data: object): Sample => ({
  adapter: dataGovSg,
  settings: { datasets: [dataset] },
  body: { code: 0, data, errorMsg: '' },
});
const v1 = (dataset: string, body: object): Sample => ({
  adapter: dataGovSg,
  settings: { datasets: [dataset] },
  body,
});
const lta = (dataset: string, body: object): Sample => ({
  adapter: ltaDatamall,
  settings: { datasets: [dataset], train_lines: ['NEL'] },
  body,
});
const hire = (part: object, data: object): Sample => ({
  adapter: gbfs,
  settings: { url: 'https://bikes.example/gbfs.json' },
  part: JSON.stringify(part),
  body: { last_updated: 1631258631, ttl: 60, data },
});

const stations = {
  stations: [{ id: 'S1', location }],
  readings: [{ timestamp: at, data: [{ stationId: 'S1', value: 1 }] }],
};
const records = (reading: object) => ({
  records: [{ datetime: at, item: { readings: [{ location, ...reading }] } }],
});
const link = {
  LinkID: '1',
  MinimumSpeed: '30',
  MaximumSpeed: '39',
  StartLat: '1.3',
  StartLon: '103.8',
  EndLat: 1.3,
  EndLon: 103.8,
};

/** One small body for each shape that an adapter reads. */
const samples: readonly Sample[] = [
  v2('rainfall', stations),
  v2('air-temperature', stations),
  v2('relative-humidity', stations),
  v2('pm25', {
    regionMetadata: [{ name: 'west', labelLocation: location }],
    items: [{ timestamp: at, readings: { pm25_one_hourly: { west: 13 } } }],
  }),
  v2('two-hr-forecast', {
    area_metadata: [{ name: 'Bedok', label_location: location }],
    items: [{ timestamp: at, forecasts: [{ area: 'Bedok', forecast: 'Showers' }] }],
  }),
  v2('wbgt', records({ station: { id: 'S1' }, wbgt: '26.3' })),
  v2('lightning', records({ datetime: at, type: 'C' })),
  v1('taxi-availability', {
    features: [{ geometry: { coordinates: [[103.8, 1.3]] }, properties: { timestamp: at } }],
  }),
  v1('carpark-availability', {
    items: [
      {
        carpark_data: [
          {
            carpark_number: 'HE12',
            update_datetime: '2026-01-12T10:14:00',
            carpark_info: [{ lot_type: 'C', lots_available: '6', total_lots: '105' }],
          },
        ],
      },
    ],
  }),
  lta('car-parks', { value: [{ CarParkID: '1', Location: '1.3 103.8', AvailableLots: 4, LotType: 'C' }] }),
  lta('speed-bands', { lastUpdatedTime: '2026-01-12 10:15:00', value: [link] }),
  lta('platform-crowding', { value: [{ Station: 'NE1', CrowdLevel: 'l', StartTime: at, EndTime: at }] }),
  lta('train-alerts', { value: { Status: 2, AffectedSegments: [{ Line: 'NEL' }] } }),
  {
    adapter: openMeteo,
    settings: { datasets: ['weather'] },
    body: {
      latitude: 1.3,
      longitude: 103.8,
      utc_offset_seconds: 0,
      current_units: {
        time: 'unixtime',
        temperature_2m: '°C',
        relative_humidity_2m: '%',
        precipitation: 'mm',
        wind_speed_10m: 'km/h',
        weather_code: 'wmo code',
      },
      current: {
        time: 1768184100,
        interval: 900,
        temperature_2m: 28,
        relative_humidity_2m: 81,
        precipitation: 0.2,
        wind_speed_10m: 12.5,
        weather_code: 61,
      },
    },
  },
  {
    adapter: openMeteo,
    settings: { datasets: ['air'] },
    body: {
      latitude: 1.3,
      longitude: 103.8,
      current_units: { time: 'unixtime', pm2_5: 'μg/m³', pm10: 'μg/m³' },
      current: { time: 1768184100, interval: 3600, pm2_5: 13, pm10: 25 },
    },
  },
  hire({ file: 'gbfs' }, { feeds: [{ name: 'station_status', url: 'https://bikes.example/status.json' }] }),
  hire(
    { file: 'station_information', status_url: 'https://bikes.example/status.json' },
    { stations: [{ station_id: 'one', lat: 1.3, lon: 103.8 }] },
  ),
  hire(
    { file: 'station_status', stations: [['one', 1.3, 103.8, 20]] },
    {
      stations: [
        {
          station_id: 'one',
          num_bikes_available: 5,
          num_docks_available: 15,
          is_renting: 1,
          last_reported: 1631258631,
        },
      ],
    },
  ),
  hire({ file: 'vehicles' }, { bikes: [{ bike_id: 'a', lat: 1.3, lon: 103.8, is_disabled: false }] }),
];

const gtfsSettings = { url: 'https://transit.example/vehicles.pb' };
const gtfsSample = gtfsFeed([
  { id: 'a', lat: 1.3001, lng: 103.8, status: 2, percent: 40, speed: 7, timestamp: NOW - 20 },
  { id: 'b', lat: 1.3002, lng: 103.8 },
]);

function parse({ adapter, settings, part }: Sample, body: Uint8Array) {
  const feed = { id: 'feed', settings };
  const [first] = adapter.requests(feed, poll);
  assert.ok(first);
  const request: FeedRequest = part === undefined ? first : { ...first, part };
  return adapter.parse(body, feed, request, poll);
}

/** Lets no error through but the one that says that the body is not the feed's. */
function readOrRefuse(sample: Sample, body: Uint8Array): void {
  const parsed = parseOrRefuse(() => parse(sample, body));
  if (parsed) assertSound(parsed);
}

const gtfs: Sample = { adapter: gtfsRealtime, settings: gtfsSettings, body: gtfsSample };
const title = ({ adapter, settings, part }: Sample) =>
  `${adapter.name} ${JSON.stringify(settings)} ${part ?? ''}`;

test('each sample is read without a fault, its settings are allowed, and its fields are described', () => {
  const given = new Map<string, Set<string>>();
  for (const sample of [...samples, gtfs]) {
    const { adapter, settings, body } = sample;
    assert.ok(Compile(adapter.settings).Check(settings), title(sample));
    const parsed = parse(sample, body instanceof Uint8Array ? body : bodyBytes(body));
    assertSound(parsed);
    assert.deepEqual(parsed.faults, {}, title(sample));
    assert.ok(parsed.measurements.length > 0 || parsed.next.length > 0, title(sample));
    const fields = given.get(adapter.name) ?? new Set();
    for (const { field } of parsed.measurements) fields.add(field);
    given.set(adapter.name, fields);
    assert.deepEqual(
      [...fields].filter((field) => !adapter.about.fields?.[field]),
      [],
      adapter.name,
    );
  }
  for (const { name, about } of fixed)
    assert.deepEqual(
      Object.keys(about.fields ?? {}).toSorted(),
      [...(given.get(name) ?? [])].toSorted(),
      `${name} has samples of all its fields`,
    );
});

test('arbitrary bytes and arbitrary JSON are read or refused', () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json({ maxDepth: 4 }).map((text) => bodyBytes(text)),
  );
  for (const sample of [...samples, gtfs])
    fc.assert(
      fc.property(body, (bytes) => readOrRefuse(sample, bytes)),
      { numRuns: 40 },
    );
});

/** Replaces one value somewhere in a JSON value; `pick` chooses where. */
function replaced(value: unknown, pick: readonly number[], by: unknown): unknown {
  const [here, ...rest] = pick;
  if (here === undefined || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[here % Math.max(keys.length, 1)];
  if (key === undefined) return by;
  const inner = replaced((value as Record<string, unknown>)[key], rest, by);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
}

test('a true body with any value replaced is read or refused', () => {
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.double(),
    fc.constantFrom('', 'NA', '-999', '0', '1e999', '__proto__', 'constructor', -1, 0, null, [], {}),
  );
  const pick = fc.array(fc.nat(8), { minLength: 1, maxLength: 9 });
  for (const sample of samples)
    fc.assert(
      fc.property(pick, odd, (path, by) => readOrRefuse(sample, bodyBytes(replaced(sample.body, path, by)))),
      { numRuns: 100 },
    );
});

test('a true body that is cut or has any byte changed is read or refused', () => {
  for (const sample of [...samples, gtfs]) {
    const whole = sample.body instanceof Uint8Array ? sample.body : bodyBytes(sample.body);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (index, byte, cut) =>
        readOrRefuse(sample, cut ? whole.subarray(0, index) : Uint8Array.from(whole).with(index, byte)),
      ),
      { numRuns: 50 },
    );
  }
});

test('descriptions say who publishes, under which licence, and how often it changes', () => {
  for (const { about } of fixed)
    assert.ok(about.publisher && about.licence && about.changes_every_seconds >= 30);
});

test('an adapter knows the hosts that its key goes to, and docs/sources.md lists them', () => {
  const page = readFileSync(new URL('../../../docs/sources.md', import.meta.url), 'utf8');
  const keyed = samples.filter(({ adapter }) => adapter.about.key);
  for (const { adapter, settings } of keyed) {
    const { key } = adapter.about;
    assert.ok(key && isKeyName(key.env));
    const feed = { id: 'a', adapter: adapter.name, settings } as Feed;
    const keys = readFeedKeys({ [key.env]: 'secret' });
    assert.ok(feedKey(feed, adapter, { key }, poll, keys), 'its own addresses are of those hosts');
    const hosts = key.hosts.map((host) => `\`${host}\``).join(', ');
    assert.ok(page.includes(`| \`${adapter.name}\` | \`${key.env}\` | ${hosts} |`), adapter.name);
  }
});
