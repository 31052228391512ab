// A row means the same, whoever reads it: an adapter of one publisher, the generic adapters, or a file of the replay
// format. The rules themselves are in src/sources/core/rows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedShapeError } from '../core/adapter.ts';
import type { Measurement } from '../core/measurement.ts';
import { bodyBytes, pollAt, read, singaporePoints } from './adapter.fixture.ts';
import { dataGovSg } from './data-gov-sg.ts';
import { parseFeedFile } from './files.ts';
import { gbfs } from './gbfs.ts';
import { genericCsv } from './generic-csv.ts';
import { genericJson } from './generic-json.ts';

interface Row {
  id: unknown;
  lat: unknown;
  lng: unknown;
  time: unknown;
  value: unknown;
}

interface Outcome {
  read: [place_id: string, lat: number | null, lng: number | null, value: number, at: string][];
  faults: object;
}

const url = 'https://city.example/';
const poll = pollAt(singaporePoints);
const columns = { place: 'id', lat: 'lat', lng: 'lng', time: { at: 'time' }, fields: { value: 'value' } };
const csvCells = ({ time, id, lat, lng, value }: Row): string =>
  [time, id, lat, lng, value].map((cell) => `"${cell ?? ''}"`).join();

const parsedOutcome = (parsed: { measurements: readonly Measurement[]; faults: object }): Outcome => ({
  read: parsed.measurements.map(({ place_id, lat, lng, value, observed_at }) => [
    place_id,
    lat,
    lng,
    value,
    new Date(observed_at ?? 0).toISOString(),
  ]),
  faults: parsed.faults,
});

const ways: Record<string, (row: Row) => Outcome> = {
  'data-gov-sg': ({ id, lat, lng, time, value }) =>
    parsedOutcome(
      read(
        dataGovSg,
        { datasets: ['air-temperature'] },
        {
          code: 0,
          data: {
            stations: [{ id, location: { latitude: lat, longitude: lng } }],
            readings: [{ timestamp: time, data: [{ stationId: id, value }] }],
          },
        },
      ),
    ),
  'generic-json': (row) => parsedOutcome(read(genericJson, { url, ...columns }, [row])),
  'generic-csv': (row) =>
    parsedOutcome(read(genericCsv, { url, ...columns }, `time,id,lat,lng,value\n${csvCells(row)}\n`)),
};

const value = { measures: 'temperature_c', what: 'air temperature', fresh_minutes: 30 } as const;
const replay = async (row: Row): Promise<Outcome> => {
  const body = `timestamp,place_id,lat,lon,value,feed,field\n${csvCells(row)},a,value\n`;
  const feed = { id: 'a', settings: {}, fields: { value } };
  return parsedOutcome(await parseFeedFile('a.csv', Buffer.from(bodyBytes(body)), feed, poll));
};

const usual: Row = { id: 'S1', lat: 1.3, lng: 103.8, time: '2026-01-12T10:00:00+08:00', value: 26.5 };
const at = '2026-01-12T02:00:00.000Z';
type Reading = Outcome['read'][number];
const usually: Reading = ['S1', 1.3, 103.8, 26.5, at];
const changed = (change: Partial<Record<0 | 1 | 2 | 3 | 4, Reading[number]>>) =>
  Object.assign([...usually], change) as Reading;

const cases: [why: string, row: Partial<Row>, reading: Reading | null, fault?: string, strict?: true][] = [
  ['an ordinary row', {}, usually],
  ['a number as text', { value: ' 26.50 ' }, usually],
  ['a number of many digits', { value: '26.500000000000000000000000' }, usually],
  ['a number that may stand for none, and may not', { value: -99 }, changed({ 3: -99 })],
  ...['', '-', '--', 'NA', 'n/a', 'NaN', 'nil', 'null', 'None', 'unknown', 'Unavailable', 'no data'].map(
    (value): (typeof cases)[number] => [`"${value}" for a number`, { value }, null, 'no_data'],
  ),
  ...['12 mm', '1,5', '0x10', '1e999', 'true'].map((value): (typeof cases)[number] => [
    `"${value}" for a number`,
    { value },
    null,
    'bad_value',
  ]),
  ['a time in lower case', { time: '2026-01-12t02:00:00z' }, usually],
  ['a time with an offset of hours', { time: '2026-01-12 10:00:00 +08' }, usually],
  ['a time with a comma', { time: '2026-01-12T02:00:00,000000Z' }, usually],
  ['midnight as the end of a day', { time: '2026-01-12T24:00+22:00' }, usually],
  ['a leap second', { time: '2026-01-12T01:59:60Z' }, changed({ 4: '2026-01-12T01:59:59.000Z' })],
  ['a time of the nineties', { time: '1995-01-12T02:00:00Z' }, changed({ 4: '1995-01-12T02:00:00.000Z' })],
  ...['1989-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '2100-01-01T00:00:00Z'].map(
    (time): (typeof cases)[number] => [`the time ${time}`, { time }, null, 'bad_time', true],
  ),
  ['a day that does not exist', { time: '2026-02-30T02:00:00Z' }, null, 'bad_time', true],
  ['no time', { time: '' }, null, 'bad_time', true],
  ['coordinates as text', { lat: '1.3', lng: '103.8' }, usually],
  ['a place far away, whatever the order', { lat: 40.4, lng: -3.7 }, changed({ 1: 40.4, 2: -3.7 })],
  ['swapped coordinates', { lat: 103.8, lng: 1.3 }, usually, 'bad_position', true],
  ['impossible coordinates', { lat: 91, lng: 200 }, changed({ 1: null, 2: null }), 'bad_position', true],
  ['an id of 128 characters', { id: 'x'.repeat(128) }, changed({ 0: 'x'.repeat(128) })],
  ['an id that is a number', { id: 86 }, changed({ 0: '86' })],
  ['an id of 129 characters', { id: 'x'.repeat(129) }, null, 'bad_value', true],
  ['no id', { id: ' ' }, null, 'bad_value', true],
  ['an id that turns the text around it', { id: 'a\u202eb' }, null, 'bad_value', true],
];

describe('read the same by every adapter', () => {
  for (const [why, change, reading, fault, strict] of cases)
    test(why, async () => {
      const row = { ...usual, ...change };
      const expected: Outcome = { read: reading ? [reading] : [], faults: fault ? { [fault]: 1 } : {} };
      for (const [way, readRow] of Object.entries(ways)) assert.deepEqual(readRow(row), expected, way);
      // A file of our own format is to be mended where a row cannot be read.
      if (strict) await assert.rejects(replay(row), FeedShapeError);
      else assert.deepEqual(await replay(row), expected, 'the replay format');
    });

  test('0, 0 and coordinates that are missing', () => {
    for (const [lat, lng] of [
      [0, 0],
      ['', ''],
      ['n/a', 103.8],
    ])
      for (const [way, readRow] of Object.entries(ways))
        assert.deepEqual(
          readRow({ ...usual, lat, lng }),
          { read: [changed({ 1: null, 2: null })], faults: { bad_position: 1 } },
          way,
        );
  });

  test('a second row of the same place and time', () => {
    const rows = [usual, { ...usual, value: 30 }];
    const twice = rows.map(({ id, value }) => ({ stationId: id, value }));
    const expected: Outcome = { read: [usually], faults: { duplicate: 1 } };
    const { id, lat, lng, time } = usual;
    const station = { id, location: { latitude: lat, longitude: lng } };
    const body = { code: 0, data: { stations: [station], readings: [{ timestamp: time, data: twice }] } };
    assert.deepEqual(parsedOutcome(read(dataGovSg, { datasets: ['air-temperature'] }, body)), expected);
    assert.deepEqual(parsedOutcome(read(genericJson, { url, ...columns }, rows)), expected);
  });
});

describe('an epoch is read the same by every adapter', () => {
  const seconds = Date.parse(at) / 1000;
  const readers = [
    (time: unknown) =>
      read(
        gbfs,
        { url },
        { data: { stations: [{ station_id: 'S1', num_bikes_available: 5, last_reported: time }] } },
        {
          request: { url, part: JSON.stringify({ file: 'station_status', stations: [['S1', 1.3, 103.8]] }) },
        },
      ),
    (time: unknown) =>
      read(genericJson, { url, ...columns, time: { at: 'time', format: 'epoch_s' } }, [
        { ...usual, time, value: 5 },
      ]),
  ];
  for (const [time, expected] of [
    [seconds, at],
    [String(seconds), at],
    [`${seconds}.25`, '2026-01-12T02:00:00.250Z'],
    [seconds * 1000, at],
    [800_000_000, '1995-05-09T06:13:20.000Z'],
    [0, null],
    [-1, null],
    ['', null],
    [5e9, null],
  ] as const)
    test(JSON.stringify(time), () => {
      for (const readTime of readers) {
        const { read: found, faults } = parsedOutcome(readTime(time));
        assert.deepEqual(
          [found.map((reading) => reading[4]), faults],
          expected === null ? [[], { bad_time: 1 }] : [[expected], {}],
        );
      }
    });
});
