import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { metresBetween } from '../../../domain/city/distance.ts';
import { bytesOf, refuses } from '../adapter.fixture.ts';
import { collector } from './collector.ts';
import { excerpt, flagOf, idOf, numberOf, parseJson, requireList } from './json.ts';
import { countNear, pointsWithin, readPosition } from './position.ts';
import { rainOfForecast } from './rain-forecast.ts';
import { epochTime, isoTime } from './time.ts';

test('bodies that are no JSON are refused with what they are instead', () => {
  refuses(() => parseJson(bytesOf('<!doctype html><p>gateway timeout')), /HTML or XML/);
  refuses(() => parseJson(bytesOf('')), /empty body/);
  refuses(() => parseJson(bytesOf('{"data":{"stations":[{"id":')), /not JSON/);
  refuses(() => parseJson(Uint8Array.from([0x7b, 0xff, 0x7d])), /not UTF-8/);
  refuses(() => parseJson(Buffer.from('{"a":1}', 'utf16le')), /not JSON/);
  refuses(() => parseJson(bytesOf('['.repeat(200_000))), /not JSON/);
  assert.deepEqual(parseJson(bytesOf('\uFEFF{"a":1}')), { a: 1 });
});

test('a list that is too long is refused, not cut', () => {
  refuses(() => requireList(new Array(100_001).fill(0), 'rows'), /more than 100000 rows at rows/);
});

test('numbers are read from numbers and texts, and absent is not zero', () => {
  const table: [unknown, number | string][] = [
    [0, 0],
    ['0', 0],
    [' 26.3 ', 26.3],
    ['-1.5e2', -150],
    ['', 'no_data'],
    ['NA', 'no_data'],
    [null, 'no_data'],
    [undefined, 'no_data'],
    ['-', 'no_data'],
    ['12 mm', 'bad_value'],
    ['1,5', 'bad_value'],
    ['0x10', 'bad_value'],
    ['1e999', 'bad_value'],
    [Number.NaN, 'bad_value'],
    [true, 'bad_value'],
    [[5], 'bad_value'],
  ];
  for (const [value, expected] of table) assert.equal(numberOf(value), expected, JSON.stringify(value));
});

test('ids and flags are read in the ways that feeds write them', () => {
  assert.deepEqual(
    [idOf('S109'), idOf(86), idOf(' '), idOf(null), idOf(1.5), idOf('x'.repeat(101))],
    ['S109', '86', undefined, undefined, undefined, undefined],
  );
  assert.deepEqual(
    [flagOf(1), flagOf(true), flagOf(0), flagOf('false'), flagOf(undefined), flagOf(2)],
    [true, true, false, false, undefined, undefined],
  );
});

test("an excerpt of a publisher's text is one short line", () => {
  assert.equal(excerpt('Daily limit\n\u001b[31mexceeded'), 'Daily limit [31mexceeded');
  assert.equal(excerpt('x'.repeat(500)).length, 100);
  assert.equal(excerpt({ text: 1 }), 'no reason given');
});

test('times with and without an offset', () => {
  const noon = Date.parse('2026-01-12T04:00:00Z');
  const table: [unknown, number | undefined, number | string][] = [
    ['2026-01-12T12:00:00+08:00', undefined, noon],
    ['2026-01-12T12:00:00+0800', undefined, noon],
    ['2026-01-12T04:00:00.124370+00:00', undefined, noon + 124],
    ['2026-01-12T04:00Z', undefined, noon],
    ['2026-01-12 12:00:00', 8 * 3600, noon],
    ['2026-01-12T12:00:00', undefined, 'bad_time'],
    ['2026-02-30T12:00:00Z', undefined, 'bad_time'],
    ['2026-01-12T25:00:00Z', undefined, 'bad_time'],
    ['2026-13-01T00:00:00Z', undefined, 'bad_time'],
    ['1970-01-01T00:00:00Z', undefined, 'bad_time'],
    ['yesterday', undefined, 'bad_time'],
    [noon, undefined, 'bad_time'],
    [null, 0, 'bad_time'],
  ];
  for (const [value, offset, expected] of table)
    assert.equal(isoTime(value, offset), expected, JSON.stringify(value));
});

test('epoch times in seconds and milliseconds; zero is no time', () => {
  const time = 1_712_349_447_000;
  assert.deepEqual([time / 1000, time, '1712349447', 0, -1, '', null, 1e300].map(epochTime), [
    time,
    time,
    time,
    'bad_time',
    'bad_time',
    'bad_time',
    'bad_time',
    'bad_time',
  ]);
});

test('every ISO time agrees with Date.parse', () => {
  const times = fc.date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(times, (date) => assert.equal(isoTime(date.toISOString()), date.getTime())));
  fc.assert(fc.property(fc.string(), (text) => void isoTime(text)));
});

test('swapped coordinates are put right and counted; 0, 0 is no position', () => {
  const singapore = [{ lat: 1.3, lng: 103.8 }];
  const muenster = [{ lat: 51.96, lng: 7.63 }];
  const at = (lat: number, lng: number) => ({ lat, lng });
  assert.deepEqual(readPosition('1.29', 103.85, singapore), { position: at(1.29, 103.85), fault: false });
  assert.deepEqual(readPosition(103.85, 1.29, singapore), { position: at(1.29, 103.85), fault: true });
  // Possible as it stands, but only the other order is near the city.
  assert.deepEqual(readPosition(7.62, 51.95, muenster), { position: at(51.95, 7.62), fault: true });
  // Far away either way: as the feed says.
  assert.deepEqual(readPosition(40.4, -3.7, muenster), { position: at(40.4, -3.7), fault: false });
  for (const [lat, lng] of [
    [0, 0],
    [null, 103],
    ['', ''],
    [91, 200],
  ])
    assert.deepEqual(readPosition(lat, lng, singapore), { position: null, fault: true });
});

test('points within reach are the same that a plain search finds', () => {
  const place = fc.record({
    lat: fc.double({ min: 51.9, max: 52, noNaN: true }),
    lng: fc.double({ min: 7.5, max: 7.7, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(place, { maxLength: 30 }),
      place,
      fc.integer({ min: 50, max: 9000 }),
      (points, centre, reach) => {
        const expected = points.filter((point) => metresBetween(point, centre) <= reach);
        assert.deepEqual(new Set(pointsWithin(points, reach)(centre)), new Set(expected));
      },
    ),
    { numRuns: 50 },
  );
});

test('distances are right across the date line and in the north', () => {
  assert.ok(Math.abs(metresBetween({ lat: 0, lng: 179.999 }, { lat: 0, lng: -179.999 }) - 222) < 1);
  assert.ok(Math.abs(metresBetween({ lat: 60, lng: 10 }, { lat: 60, lng: 10.01 }) - 556) < 1);
});

test('every point gets a count, also none', () => {
  const points = [
    { id: 'here', lat: 1.3, lng: 103.8 },
    { id: 'there', lat: 1.4, lng: 103.9 },
  ];
  const counts: [string, number][] = [];
  countNear([{ lat: 1.3001, lng: 103.8 }, null], points, 500, ({ id }, count) => counts.push([id, count]));
  assert.deepEqual(counts, [
    ['here', 1],
    ['there', 0],
  ]);
});

test('the collector keeps the first of equal rows and counts what it leaves out', () => {
  const out = collector('feed', []);
  out.add('a', null, 1, { x: 1, y: 'no_data', z: undefined });
  out.add('a', null, 1, { x: 2, y: 3 });
  out.add('a', null, 2, { x: Number.POSITIVE_INFINITY });
  out.add('b', null, 'bad_time', { x: 1, y: 1 });
  const { measurements, faults } = out.result();
  assert.deepEqual(
    measurements.map(({ field, value }) => [field, value]),
    [
      ['x', 1],
      ['y', 3],
    ],
  );
  assert.deepEqual(faults, { no_data: 1, duplicate: 1, bad_value: 1, bad_time: 1 });
});

test('words of the two-hour forecast, and none for words that are not known', () => {
  assert.equal(rainOfForecast('Partly Cloudy (Night)'), 0);
  assert.equal(rainOfForecast('Heavy Thundery Showers with Gusty Winds'), 1);
  assert.equal(rainOfForecast('Raining Frogs'), undefined);
  assert.equal(rainOfForecast('constructor'), undefined);
});
