// Every recipe of docs/sources/platforms.md reads a small answer of its platform, with the traps that it is known for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedShapeError } from '../core/adapter.ts';
import type { Feed } from '../core/feed.ts';
import { bodyBytes } from './adapter.fixture.ts';
import { asLine, readSample, recipes, type Sample, testRecipes } from './recipes.fixture.ts';

const entity = (entity_id: string, state: string, unit_of_measurement?: string) => ({
  entity_id,
  state,
  attributes: { unit_of_measurement },
  last_changed: '2026-06-10T04:00:00.123456+00:00',
  last_reported: '2026-06-10T09:59:30.123456+00:00',
  last_updated: '2026-06-10T04:00:00.123456+00:00',
});
const carPark = (id: string, value: unknown, status: unknown) => ({
  id: `urn:ngsi-ld:OffStreetParking:${id}`,
  type: 'OffStreetParking',
  availableSpotNumber: { type: 'Property', value, observedAt: '2026-06-10T09:50:00Z' },
  status: { type: 'Property', value: status },
  location: { type: 'GeoProperty', value: { type: 'Point', coordinates: [7.63, 51.96] } },
});
const station = (stationcode: string, changes: object = {}) => ({
  stationcode,
  is_installed: 'OUI',
  is_renting: 'OUI',
  numbikesavailable: 4,
  numdocksavailable: 16,
  duedate: '2026-06-10T09:33:29+00:00',
  coordonnees_geo: { lon: 2.352, lat: 48.856 },
  ...changes,
});
const hamburg = { lat: 53.55, lng: 10 };
const observed = (phenomenonTime: string, result: number | null) => ({
  phenomenonTime,
  result,
  resultTime: null,
});

const samples: Record<string, Sample> = {
  prometheus: {
    body: {
      status: 'success',
      data: {
        resultType: 'matrix',
        result: [
          {
            metric: { __name__: 'people_in_square', job: 'counters', place: 'gate' },
            values: [
              [1781085540.781, '12'],
              [1781085570.781, 'NaN'],
              [1781085600.781, '+Inf'],
            ],
          },
          { metric: { __name__: 'people_in_square', job: 'counters' }, values: [[1781085540.781, '3']] },
        ],
      },
    },
    read: ['gate people 12 2026-06-10T09:59'],
    // A series without the label that names its place is a bad value too.
    faults: { no_data: 1, bad_value: 2 },
  },
  'home-assistant': {
    body: [
      entity('sensor.market_people', '12'),
      entity('sensor.market_temperature', '68.0', '°F'),
      entity('sensor.other', '3'),
      entity('light.market', 'on'),
    ],
    // 68 °F; nothing has changed since the morning, and the sensors still report.
    read: [
      'sensor.market_people people 12 2026-06-10T09:59',
      'sensor.market_temperature temperature_c 20 2026-06-10T09:59',
    ],
  },
  'influx-flux': {
    body: ',result,table,_time,_value,sensor\r\n,_result,0,2026-06-10T09:45:00Z,12,gate\r\n,_result,0,2026-06-10T09:50:00.123456789Z,,gate\r\n\r\n',
    read: ['gate people 12 2026-06-10T09:45'],
    faults: { no_data: 1 },
  },
  'influx-influxql': {
    body: {
      results: [
        {
          statement_id: 0,
          series: [
            {
              name: 'footfall',
              tags: { sensor: 'gate' },
              columns: ['time', 'people'],
              values: [
                [1781085300000, 12],
                [1781085600000, null],
              ],
            },
          ],
        },
      ],
    },
    read: ['gate people 12 2026-06-10T09:55'],
    faults: { no_data: 1 },
  },
  'ngsi-ld-parking': {
    body: [
      carPark('1', 12, ['open', 'almostFull']),
      carPark('2', 0, ['closed']),
      carPark('3', 0, 'closed'),
      {
        ...carPark('4', 5, 'open'),
        availableSpotNumber: { type: 'Property', value: 5 },
      },
    ],
    read: ['urn:ngsi-ld:OffStreetParking:1 free_spaces 12 2026-06-10T09:50'],
    faults: { no_data: 2, bad_time: 1 },
  },
  'socrata-counters': {
    body: [
      {
        counter_id: '7',
        counted_at: '2026-06-10T11:30:00.000',
        total: '31',
        location: { type: 'Point', coordinates: [7.63, 51.96] },
      },
      {
        counter_id: '8',
        counted_at: '2026-06-10T11:30:00.000',
        location: { type: 'Point', coordinates: [7.63, 51.96] },
      },
    ],
    // 11:30 in Berlin is 09:30 in UTC; the quarter hour was over at 09:45.
    read: ['7 people_15min 31 2026-06-10T09:45'],
    faults: { no_data: 1 },
  },
  'ckan-parking': {
    body: {
      success: true,
      result: {
        total: 120_000,
        records: [
          { _id: 3, site: 'P1', state: 'open', free: '12', measured_at: '2026-06-10T11:50:00' },
          { _id: 2, site: 'P2', state: 'closed', free: '0', measured_at: '2026-06-10T11:50:00' },
          { _id: 4, site: 'P3', state: 'open', free: '-1', measured_at: '2026-06-10T11:50:00' },
          { _id: 1, site: 'P1', state: 'open', free: '80', measured_at: '2026-06-10T04:00:00' },
        ],
      },
    },
    read: ['P1 free_spaces 12 2026-06-10T09:50'],
    faults: { no_data: 2 },
    next: 'sort=measured_at+desc&limit=500&offset=500',
  },
  velib: {
    point: { lat: 48.857, lng: 2.352 },
    body: [
      station('4001'),
      station('4002', { is_renting: 'NON', numbikesavailable: 0 }),
      station('44015', { coordonnees_geo: { lon: 2.3963, lat: 48.7781 } }),
      station('4003', { coordonnees_geo: null }),
    ],
    read: ['4001 bikes 4 2026-06-10T09:33', '4001 empty_docks 16 2026-06-10T09:33'],
    faults: { no_data: 2 },
  },
  'hamburg-bikes': {
    point: hamburg,
    body: {
      '@iot.nextLink': 'http://iot.hamburg.de/v1.1/Datastreams?$top=100&$skip=100',
      value: [
        {
          '@iot.id': 5591,
          'Observations@iot.nextLink': 'http://iot.hamburg.de/v1.1/Datastreams(5591)/Observations?$skip=8',
          Thing: {
            Locations: [
              {
                location: {
                  type: 'Feature',
                  geometry: { type: 'Point', coordinates: [10.001, 53.551] },
                },
              },
            ],
          },
          Observations: [
            observed('2026-06-10T09:30:00.000Z/2026-06-10T09:44:59.999Z', 21),
            observed('2026-06-10T09:15:00.000Z/2026-06-10T09:29:59.999Z', null),
          ],
        },
        {
          '@iot.id': 5592,
          Thing: { Locations: [{ location: { type: 'Point', coordinates: [10.002, 53.552] } }] },
          Observations: [observed('2026-06-10T09:45:00Z', 8)],
        },
        { '@iot.id': 5593, Thing: { Locations: [] }, Observations: [] },
      ],
    },
    read: ['5591 bikes_15min 21 2026-06-10T09:44', '5592 bikes_15min 8 2026-06-10T09:45'],
    faults: { no_data: 1 },
    next: 'https://iot.hamburg.de/v1.1/Datastreams?$top=100&$skip=100',
  },
};

testRecipes('docs/sources/platforms.md', samples);

const changed = (id: string, settings: Record<string, unknown>): Feed => {
  const feed = recipes.find((each) => each.id === id);
  assert.ok(feed, id);
  return { ...feed, settings: { ...feed.settings, ...settings } };
};
const measurementLines = (feed: Feed, body: unknown) => readSample(feed, { body }).measurements.map(asLine);

describe('what the page says beside a recipe', () => {
  test('Prometheus: the increase of a counter is one value of each series', () => {
    const increase = changed('prometheus', {
      rows: '/data/result',
      place: '/metric/place',
      time: { at: '/value/0', format: 'epoch_s' },
      fields: { people: '/value/1' },
    });
    const result = [{ metric: { place: 'gate' }, value: [1781085540.5, '31.5'] }];
    assert.deepEqual(
      measurementLines(increase, { status: 'success', data: { resultType: 'vector', result } }),
      ['gate people 31.5 2026-06-10T09:59'],
    );
  });

  test('an error with status 200 is an error, and an answer without rows is none', () => {
    const refused = (id: string, body: unknown, message: RegExp) =>
      assert.throws(
        () => readSample(changed(id, {}), { body }),
        (error) => error instanceof FeedShapeError && message.test(error.message),
        id,
      );
    refused('prometheus', { status: 'error', error: 'parse error' }, /error at \/status/);
    refused('influx-influxql', { results: [{ statement_id: 0, error: 'no db' }] }, /error at \/results/);
    refused('ckan-parking', { success: false }, /error at \/success/);
    refused('influx-flux', '\r\n', /a table with a header/);
    assert.deepEqual(
      measurementLines(changed('influx-influxql', {}), { results: [{ statement_id: 0 }] }),
      [],
    );
    assert.deepEqual(measurementLines(changed('hamburg-bikes', {}), { value: [] }), []);
  });

  test('InfluxDB: the question is sent as it is', () => {
    const { settings } = changed('influx-flux', {});
    const query = (settings.body as { query: string }).query;
    assert.match(query, /\|> group\(\) \|> keep\(columns: \["_time", "_value", "sensor"\]\)$/);
    assert.ok(bodyBytes(settings.body).length < 1000);
  });

  test('NGSI-LD: a name that is written out in full, and the interval of dateObserved', () => {
    const full = 'https://smartdatamodels.org/dataModel.Parking/availableSpotNumber';
    const body = [
      {
        id: 'urn:ngsi-ld:OffStreetParking:1',
        [full]: { type: 'Property', value: 12 },
        dateObserved: { type: 'Property', value: '2026-06-10T09:45:00Z/2026-06-10T09:50:00Z' },
      },
    ];
    const feed = changed('ngsi-ld-parking', {
      time: { at: '/dateObserved/value' },
      coordinates: '/location/value',
      fields: {
        free_spaces: '/https:~1~1smartdatamodels.org~1dataModel.Parking~1availableSpotNumber/value',
      },
    });
    assert.deepEqual(measurementLines(feed, body), [
      'urn:ngsi-ld:OffStreetParking:1 free_spaces 12 2026-06-10T09:50',
    ]);
  });

  test('SensorThings: a page at another host is not followed', () => {
    const body = { value: [], '@iot.nextLink': 'https://elsewhere.example/v1.1/Datastreams?$skip=100' };
    assert.throws(() => readSample(changed('hamburg-bikes', {}), { body }), /on the same host/);
  });
});
