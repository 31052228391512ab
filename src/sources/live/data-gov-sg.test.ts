import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSound,
  bodyBytes,
  lines,
  pollAt,
  read,
  readRecorded,
  recordedNames,
  refuses,
  singaporePoints,
  withPayloads,
} from './adapter.fixture.ts';
import { dataGovSg } from './data-gov-sg.ts';

const v2 = (data: object) => ({ code: 0, data, errorMsg: '' });
const only = (dataset: Settings['datasets'][number]): Settings => ({
  datasets: [dataset],
});
type Settings = Parameters<typeof dataGovSg.requests>[0]['settings'];

const station = (id: string, latitude: number | string, longitude: number | string) => ({
  id,
  deviceId: id,
  location: { latitude, longitude },
});

test('asks each dataset at its own version, and elsewhere where the city says so', () => {
  const asked = (settings: Settings) =>
    dataGovSg.requests({ id: 'sg', settings }, pollAt(singaporePoints)).map(({ url }) => url);
  assert.deepEqual(asked({ datasets: ['rainfall', 'wbgt', 'taxi-availability'] }), [
    'https://api-open.data.gov.sg/v2/real-time/api/rainfall',
    'https://api-open.data.gov.sg/v2/real-time/api/weather?api=wbgt',
    'https://api.data.gov.sg/v1/transport/taxi-availability',
  ]);
  assert.deepEqual(
    asked({
      datasets: ['pm25', 'carpark-availability'],
      v1_url: 'http://127.0.0.1:9/v1/',
      v2_url: 'http://127.0.0.1:9/v2',
    }),
    ['http://127.0.0.1:9/v2/pm25', 'http://127.0.0.1:9/v1/transport/carpark-availability'],
  );
});

test('stations: zero is a value, NA is none, swapped and unknown positions are counted', () => {
  const parsed = read(
    dataGovSg,
    only('rainfall'),
    v2({
      stations: [station('S1', 1.3, 103.8), station('S2', '103.9', '1.4'), station('S3', 0, 0)],
      readings: [
        {
          timestamp: '2026-01-12T10:15:00+08:00',
          data: [
            { stationId: 'S1', value: 0 },
            { stationId: 'S2', value: '2.4' },
            { stationId: 'S3', value: 1 },
            { stationId: 'S4', value: 3 },
            { stationId: 'S5', value: 'NA' },
            { stationId: 'S1', value: 7 },
            { stationId: 'S6', value: -1 },
          ],
        },
        { timestamp: 'soon', data: [{ stationId: 'S1', value: 1 }] },
      ],
      readingUnit: 'mm',
    }),
  );
  assert.deepEqual(lines(parsed), [
    'S1 rain_mm_5min 0 @ 2026-01-12T02:15:00',
    'S2 rain_mm_5min 2.4 @ 2026-01-12T02:15:00',
    'S3 rain_mm_5min 1 @ 2026-01-12T02:15:00',
    'S4 rain_mm_5min 3 @ 2026-01-12T02:15:00',
  ]);
  assert.deepEqual(
    parsed.measurements.map(({ lat, lng }) => [lat, lng]),
    [
      [1.3, 103.8],
      [1.4, 103.9],
      [null, null],
      [null, null],
    ],
  );
  assert.deepEqual(parsed.faults, { bad_position: 2, no_data: 1, duplicate: 1, bad_value: 1, bad_time: 1 });
});

test('stations may carry labelLocation, as the published schema says', () => {
  const parsed = read(
    dataGovSg,
    only('air-temperature'),
    v2({
      stations: [{ id: 'S1', labelLocation: { latitude: 1.3, longitude: 103.8 } }],
      readings: [{ timestamp: '2026-01-12T10:15:00+08:00', data: [{ stationId: 'S1', value: 26.4 }] }],
      readingUnit: 'deg C',
    }),
  );
  assert.equal(parsed.measurements[0]?.lat, 1.3);
});

test('another unit, an error with status 200 and a changed schema are refused', () => {
  const body = { stations: [], readings: [], readingUnit: 'inch' };
  refuses(() => read(dataGovSg, only('rainfall'), v2(body)), /readingUnit mm/);
  refuses(
    () => read(dataGovSg, only('rainfall'), { code: 24, data: null, errorMsg: 'rate\nlimited' }),
    /error: rate limited/,
  );
  refuses(() => read(dataGovSg, only('rainfall'), v2({ stations: {} })), /a list at data\.stations/);
  refuses(() => read(dataGovSg, only('rainfall'), '<html></html>'), /HTML/);
  refuses(() => read(dataGovSg, only('pm25'), { items: [] }), /an object at data/);
});

test('pages are followed by their token, and not for ever', () => {
  const body = v2({ regionMetadata: [], items: [], paginationToken: 'b2Zmc2V0PTI1==' });
  let [request] = dataGovSg.requests({ id: 'sg', settings: only('pm25') }, pollAt(singaporePoints));
  const urls: string[] = [];
  while (request) {
    urls.push(request.url);
    [request] = read(dataGovSg, only('pm25'), body, { request }).next;
  }
  assert.equal(
    urls[1],
    'https://api-open.data.gov.sg/v2/real-time/api/pm25?paginationToken=b2Zmc2V0PTI1%3D%3D',
  );
  assert.equal(urls.length, 20);
  const wbgt = read(dataGovSg, only('wbgt'), v2({ records: [], paginationToken: 't' }));
  assert.match(wbgt.next[0]?.url ?? '', /weather\?api=wbgt&paginationToken=t$/);
});

test('the forecast maps its words, and leaves out those that it does not know', () => {
  const forecasts = [
    { area: 'Bedok', forecast: 'Thundery Showers' },
    { area: 'Bishan', forecast: 'Fair (Day)' },
    { area: 'Tuas', forecast: 'Unheard Of' },
  ];
  const parsed = read(
    dataGovSg,
    only('two-hr-forecast'),
    v2({
      area_metadata: [{ name: 'Bedok', label_location: { latitude: 1.321, longitude: 103.924 } }],
      items: [{ timestamp: '2026-01-12T10:00:00+08:00', forecasts }],
    }),
  );
  assert.deepEqual(lines(parsed), [
    'Bedok forecast_rain 0.8 @ 2026-01-12T02:00:00',
    'Bishan forecast_rain 0 @ 2026-01-12T02:00:00',
  ]);
  assert.deepEqual(parsed.faults, { no_data: 1 });
});

test('PM2.5 of regions and heat stress of stations', () => {
  const pm25 = read(
    dataGovSg,
    only('pm25'),
    v2({
      regionMetadata: [{ name: 'west', labelLocation: { latitude: 1.35735, longitude: 103.7 } }],
      items: [
        {
          timestamp: '2026-01-12T10:00:00+08:00',
          readings: { pm25_one_hourly: { west: 13, east: null, 'no\u202erth': 9 } },
        },
      ],
    }),
  );
  assert.deepEqual(lines(pm25), ['west pm25_ug_m3 13 @ 2026-01-12T02:00:00']);
  assert.deepEqual(pm25.faults, { no_data: 1, bad_value: 1 });
  const location = { latitude: '1.36777', longitude: '103.982262' };
  const readings = [
    { station: { id: 'S124' }, location, wbgt: '26.3' },
    { station: { id: 'S125' }, location, wbgt: 'NA' },
  ];
  const wbgt = read(
    dataGovSg,
    only('wbgt'),
    v2({ records: [{ datetime: '2026-01-12T10:15:00+08:00', item: { readings } }] }),
  );
  assert.deepEqual(lines(wbgt), ['S124 wbgt_c 26.3 @ 2026-01-12T02:15:00']);
  assert.deepEqual(wbgt.faults, { no_data: 1 });
});

test('lightning is counted around each pocket, and a record without strikes is zero', () => {
  const strike = (latitude: string, longitude: string) => ({ location: { latitude, longitude }, type: 'C' });
  const record = (datetime: string, readings: object[]) => ({ datetime, item: { readings } });
  const parsed = read(
    dataGovSg,
    only('lightning'),
    v2({
      records: [
        record('2026-01-12T10:14:00+08:00', [strike('1.2900', '103.8600'), strike('1.1700', '103.8718')]),
        record('2026-01-12T10:16:00+08:00', []),
      ],
    }),
  );
  assert.deepEqual(lines(parsed), [
    'raffles-place lightning_strikes 1 @ 2026-01-12T02:14:00',
    'tampines-hub lightning_strikes 0 @ 2026-01-12T02:14:00',
    'raffles-place lightning_strikes 0 @ 2026-01-12T02:16:00',
    'tampines-hub lightning_strikes 0 @ 2026-01-12T02:16:00',
  ]);
});

const taxis = (coordinates: unknown[]) => ({
  type: 'FeatureCollection',
  features: [
    {
      geometry: { type: 'MultiPoint', coordinates },
      properties: { timestamp: '2026-01-12T10:14:56+08:00', taxi_count: coordinates.length },
    },
  ],
});

test('free taxis are counted within reach of each pocket; none anywhere is no data', () => {
  const positions = [
    [103.8512, 1.2841],
    [103.853, 1.287],
    [103.83, 1.3],
  ];
  const settings = only('taxi-availability');
  assert.deepEqual(lines(read(dataGovSg, settings, taxis(positions))), [
    'raffles-place free_taxis 2 @ 2026-01-12T02:14:56',
    'tampines-hub free_taxis 0 @ 2026-01-12T02:14:56',
  ]);
  const near = read(dataGovSg, { ...settings, reach_m: 100 }, taxis(positions));
  assert.equal(near.measurements[0]?.value, 1);
  const empty = read(dataGovSg, settings, taxis([]));
  assert.deepEqual([empty.measurements, empty.faults], [[], { no_data: 1 }]);
});

test('car parks: lots as text, own times, none in all, more free than there are, listed twice', () => {
  const lots = (lots_available: string, total_lots: string, lot_type = 'C') => ({
    lots_available,
    total_lots,
    lot_type,
  });
  const park = (carpark_number: string, update_datetime: string, ...carpark_info: object[]) => ({
    carpark_number,
    update_datetime,
    carpark_info,
  });
  const parsed = read(dataGovSg, only('carpark-availability'), {
    items: [
      {
        timestamp: '2026-01-12T10:15:00+08:00',
        carpark_data: [
          park('HE12', '2026-01-12T10:14:00', lots('20', '80'), lots('1', '9', 'Y')),
          park('OLD', '2016-02-19T11:19:28', lots('5', '10')),
          park('SHUT', '2026-01-12T10:14:00', lots('0', '0')),
          park('ODD', '2026-01-12T10:14:00', lots('94', '38')),
          park('BM30', '2026-01-12T10:00:00', lots('3', '46')),
          park('BM30', '2026-01-12T10:10:00', lots('4', '46')),
          park('BM30', '2026-01-12T09:00:00', lots('0', '1', 'H')),
          park('WHEN', '', lots('3', '46')),
        ],
      },
    ],
  });
  assert.deepEqual(lines(parsed), [
    'HE12 free_lots 20 @ 2026-01-12T02:14:00',
    'HE12 total_lots 80 @ 2026-01-12T02:14:00',
    'HE12 occupancy_share 0.75 @ 2026-01-12T02:14:00',
    'OLD free_lots 5 @ 2016-02-19T03:19:28',
    'OLD total_lots 10 @ 2016-02-19T03:19:28',
    'OLD occupancy_share 0.5 @ 2016-02-19T03:19:28',
    'BM30 free_lots 4 @ 2026-01-12T02:10:00',
    'BM30 total_lots 46 @ 2026-01-12T02:10:00',
    'BM30 occupancy_share 0.913 @ 2026-01-12T02:10:00',
  ]);
  assert.deepEqual(parsed.faults, { no_data: 1, bad_value: 1, duplicate: 1, bad_time: 1 });
  assert.ok(parsed.measurements.every(({ lat, lng }) => lat === null && lng === null));
});

const recordings: [file: string, dataset: Settings['datasets'][number], rows: number][] = [
  ['datagovsg_v2/trimmed6_rainfall_2026-10-03.json', 'rainfall', 6],
  ['datagovsg_v2/trimmed_Rainfall.json', 'rainfall', 1],
  ['datagovsg_v2/trimmed_AirTemperature.json', 'air-temperature', 1],
  ['datagovsg_v2/trimmed_RelativeHumidity.json', 'relative-humidity', 1],
  ['datagovsg_v2/trimmed_PM25.json', 'pm25', 5],
  ['datagovsg_v2/trimmed_PM25Page1.json', 'pm25', 10],
  ['datagovsg_v2/trimmed_TwoHourWeatherForecast.json', 'two-hr-forecast', 1],
  ['datagovsg_v2/two-hr-forecast_full.json', 'two-hr-forecast', 47],
  ['datagovsg_v2/trimmed_WBGT.json', 'wbgt', 1],
  ['datagovsg_v2/trimmed_Lightning.json', 'lightning', 2],
  ['datagovsg_v1/transport_taxiavailability_default.json', 'taxi-availability', 2],
  ['datagovsg_v1/trimmed_TaxiAvailability.json', 'taxi-availability', 2],
  ['datagovsg_v1/transport_carparkavailability_default.json', 'carpark-availability', 6],
];

test('recorded answers are read whole and without a fault', withPayloads, () => {
  for (const [file, dataset, rows] of recordings) {
    const parsed = read(dataGovSg, only(dataset), readRecorded(file));
    assertSound(parsed);
    assert.equal(parsed.measurements.length, rows, file);
    assert.deepEqual(parsed.faults, {}, file);
  }
});

test('a whole recorded answer of car parks shows the faults that it is known for', withPayloads, () => {
  const file = 'datagovsg_v1/transport_carpark-availability_full_2022-03-04T1516.json';
  const parsed = read(dataGovSg, only('carpark-availability'), readRecorded(file));
  assertSound(parsed);
  const free = parsed.measurements.filter(({ field }) => field === 'free_lots');
  const hour = Date.parse('2022-03-04T14:15:27+08:00');
  assert.deepEqual(parsed.faults, { no_data: 1, bad_value: 4 });
  assert.ok(free.filter(({ observed_at }) => (observed_at ?? 0) < hour).length > 200);
});

test('every other recorded answer is read or refused as a whole', withPayloads, () => {
  const files = [...recordedNames('datagovsg_v1'), ...recordedNames('datagovsg_v2')];
  for (const file of files)
    for (const dataset of ['rainfall', 'pm25', 'two-hr-forecast', 'wbgt', 'carpark-availability'] as const)
      try {
        assertSound(read(dataGovSg, only(dataset), readRecorded(file)));
      } catch (error) {
        assert.equal((error as Error).name, 'FeedShapeError', `${file}: ${error}`);
      }
});

test('half a body is refused', () => {
  const whole = bodyBytes(taxis([[103.85, 1.28]]));
  refuses(() => read(dataGovSg, only('taxi-availability'), whole.subarray(0, whole.length / 2)), /not JSON/);
});
