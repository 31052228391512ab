import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSound,
  lines,
  pollAt,
  read,
  readRecorded,
  recordedNames,
  refuses,
  singaporePoints,
  withPayloads,
} from './adapter.fixture.ts';
import { ltaDatamall } from './lta-datamall.ts';

type Settings = Parameters<typeof ltaDatamall.requests>[0]['settings'];
const only = (dataset: Settings['datasets'][number]): Settings => ({ datasets: [dataset] });
const asked = (settings: Settings) =>
  ltaDatamall.requests({ id: 'lta', settings }, pollAt(singaporePoints)).map(({ url }) => url);

test('asks for one page of each dataset, and for platforms line by line', () => {
  assert.deepEqual(asked({ datasets: ['car-parks', 'platform-crowding'], train_lines: ['NEL', 'EWL'] }), [
    'https://datamall2.mytransport.sg/ltaodataservice/CarParkAvailabilityv2',
    'https://datamall2.mytransport.sg/ltaodataservice/PCDRealTime?TrainLine=NEL',
    'https://datamall2.mytransport.sg/ltaodataservice/PCDRealTime?TrainLine=EWL',
  ]);
  assert.deepEqual(asked({ datasets: ['speed-bands'], base_url: 'http://127.0.0.1:9/lta/' }), [
    'http://127.0.0.1:9/lta/v4/TrafficSpeedBands',
  ]);
});

const park = (CarParkID: string, Location: string, AvailableLots: unknown, LotType = 'C') => ({
  CarParkID,
  Location,
  AvailableLots,
  LotType,
});

test('car parks: a position as text or blank, lots of the chosen type, no time', () => {
  const value = [
    park('1', '1.29375 103.85718', 463),
    park('1', '1.29375 103.85718', 12, 'Y'),
    park('2', '', '32'),
    park('3', '103.85319 1.29382', 0),
    park('4', '1.29 103.85', null),
    park('5', '1.29 103.85', 7, 'L'),
  ];
  const parsed = read(ltaDatamall, only('car-parks'), { value });
  assert.deepEqual(lines(parsed), [
    '1 free_lots 463 @ no time',
    '2 free_lots 32 @ no time',
    '3 free_lots 0 @ no time',
  ]);
  assert.deepEqual(
    parsed.measurements.map(({ lat, lng }) => [lat, lng]),
    [
      [1.29375, 103.85718],
      [null, null],
      [1.29382, 103.85319],
    ],
  );
  assert.deepEqual(parsed.faults, { bad_position: 2, no_data: 1 });
  assert.deepEqual(lines(read(ltaDatamall, { ...only('car-parks'), lot_type: 'L' }, { value })), [
    '5 free_lots 7 @ no time',
  ]);
});

test('full pages are followed by the next one, up to a bound', () => {
  const value = Array.from({ length: 500 }, (_, n) => park(`P${n}`, '1.29 103.85', n));
  const settings: Settings = { ...only('car-parks'), max_pages: 3 };
  let [request] = ltaDatamall.requests({ id: 'lta', settings }, pollAt(singaporePoints));
  const urls: string[] = [];
  while (request) {
    urls.push(request.url.split('/').at(-1) ?? '');
    assert.equal(request.unconditional, true);
    [request] = read(ltaDatamall, settings, { value }, { request }).next;
  }
  assert.deepEqual(urls, [
    'CarParkAvailabilityv2',
    'CarParkAvailabilityv2?$skip=500',
    'CarParkAvailabilityv2?$skip=1000',
  ]);
  assert.deepEqual(read(ltaDatamall, settings, { value: value.slice(1) }).next, []);
});

const link = (
  LinkID: string,
  least: unknown,
  most: unknown,
  lat: unknown = '1.2841',
  lng: unknown = '103.851',
) => ({
  LinkID,
  MinimumSpeed: least,
  MaximumSpeed: most,
  StartLat: lat,
  StartLon: lng,
  EndLat: lat,
  EndLon: lng,
});

test('roads: the middle of the band, the open band, only near pockets, numbers or texts', () => {
  const parsed = read(ltaDatamall, only('speed-bands'), {
    lastUpdatedTime: '2026-01-12 10:15:00',
    value: [
      link('1', '30', '39'),
      link('2', 0, 9, 1.353, 103.94),
      link('3', '70', '999'),
      link('far', '30', '39', '1.44', '103.78'),
      link('4', '', ''),
      link('5', '40', '20'),
      link('6', '30', '39', '', ''),
    ],
  });
  assert.deepEqual(lines(parsed), [
    '1 speed_kmh 34.5 @ 2026-01-12T02:15:00',
    '2 speed_kmh 4.5 @ 2026-01-12T02:15:00',
    '3 speed_kmh 74.5 @ 2026-01-12T02:15:00',
  ]);
  assert.deepEqual(parsed.faults, { no_data: 1, bad_value: 1, bad_position: 2 });
});

test('platforms: three classes, NA and other words for it are no data, times from the start of the interval', () => {
  const platform = (Station: string, CrowdLevel: string) => ({
    Station,
    CrowdLevel,
    StartTime: '2026-01-12T10:10:00+08:00',
    EndTime: '2026-01-12T10:20:00+08:00',
  });
  const value = [
    platform('EW1', 'l'),
    platform('EW2', 'm'),
    platform('EW3', 'h'),
    platform('EW4', 'NA'),
    platform('EW5', 'x'),
    platform('EW6', 'unknown'),
  ];
  const parsed = read(ltaDatamall, only('platform-crowding'), { value });
  assert.deepEqual(lines(parsed), [
    'EW1 platform_crowding 0.2 @ 2026-01-12T02:10:00',
    'EW2 platform_crowding 0.5 @ 2026-01-12T02:10:00',
    'EW3 platform_crowding 0.9 @ 2026-01-12T02:10:00',
  ]);
  assert.deepEqual(parsed.faults, { no_data: 2, bad_value: 1 });
});

test('train alerts: the lines that are named, and nothing where status and segments disagree', () => {
  const settings: Settings = { datasets: ['train-alerts'], train_lines: ['NEL', 'EWL'] };
  const alerts = (Status: unknown, ...lineNames: string[]) => ({
    value: {
      Status,
      AffectedSegments: lineNames.map((Line) => ({ Line, Stations: 'NE9,NE8' })),
      Message: [],
    },
  });
  const table: [object, string[]][] = [
    [alerts(1), ['NEL disruption 0 @ no time', 'EWL disruption 0 @ no time']],
    [alerts(2, 'NEL'), ['NEL disruption 1 @ no time', 'EWL disruption 0 @ no time']],
    [alerts('2', 'EWL'), ['NEL disruption 0 @ no time', 'EWL disruption 1 @ no time']],
    [alerts(1, 'NEL'), ['EWL disruption 0 @ no time']],
    [alerts(2), []],
  ];
  for (const [body, expected] of table) assert.deepEqual(lines(read(ltaDatamall, settings, body)), expected);
  refuses(() => read(ltaDatamall, settings, alerts(3)), /1 or 2 at value\.Status/);
});

test('errors with status 200 and changed shapes are refused', () => {
  refuses(
    () => read(ltaDatamall, only('car-parks'), { fault: { faultstring: 'no key' } }),
    /a list at value/,
  );
  refuses(() => read(ltaDatamall, only('car-parks'), { value: ['x'] }), /an object at value\[\]/);
  refuses(() => read(ltaDatamall, only('train-alerts'), { value: [] }), /an object at value/);
});

const recordings: [file: string, dataset: Settings['datasets'][number], rows: number, faults: object][] = [
  ['lta/carpark_avail.json', 'car-parks', 426, { bad_position: 5 }],
  ['lta/trimmed_CarParkAvailability.json', 'car-parks', 1, {}],
  ['lta/crowd_density_rt.json', 'platform-crowding', 31, {}],
  ['lta/trimmed_StationCrowdDensityRealTime.json', 'platform-crowding', 1, {}],
  ['lta/traffic_speed_bands.json', 'speed-bands', 500, {}],
  ['lta/trimmed_TrafficSpeedBands.json', 'speed-bands', 1, {}],
  ['lta/trimmed_TrafficSpeedBands_v4_shape.json', 'speed-bands', 1, {}],
  ['lta/train_service_alert.json', 'train-alerts', 11, {}],
  ['lta/trimmed_TrainServiceAlerts.json', 'train-alerts', 10, { no_data: 1 }],
];

test('recorded answers are read', withPayloads, () => {
  for (const [file, dataset, rows, faults] of recordings) {
    const parsed = read(ltaDatamall, { ...only(dataset), reach_m: 50_000 }, readRecorded(file));
    assertSound(parsed);
    assert.equal(parsed.measurements.length, rows, file);
    assert.deepEqual(parsed.faults, faults, file);
  }
});

test('every other recorded answer is read or refused as a whole', withPayloads, () => {
  for (const file of recordedNames('lta'))
    for (const dataset of ['car-parks', 'speed-bands', 'platform-crowding', 'train-alerts'] as const)
      try {
        assertSound(read(ltaDatamall, only(dataset), readRecorded(file)));
      } catch (error) {
        assert.equal((error as Error).name, 'FeedShapeError', `${file}: ${error}`);
      }
});
