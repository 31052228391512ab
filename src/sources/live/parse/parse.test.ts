import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { metresBetween } from '../../../domain/city/distance.ts';
import { parseJson } from '../../core/rows/decode.ts';
import { bodyBytes, refuses } from '../adapter.fixture.ts';
import { collector } from './collector.ts';
import { asFlag, excerpt, requireList } from './json.ts';
import { countNear, pointsWithin } from './points.ts';
import { rainOfForecast } from './rain-forecast.ts';

test('bodies that are no JSON are refused with what they are instead', () => {
  refuses(() => parseJson(bodyBytes('<!doctype html><p>gateway timeout')), /HTML or XML/);
  refuses(() => parseJson(bodyBytes('')), /empty body/);
  refuses(() => parseJson(bodyBytes('{"data":{"stations":[{"id":')), /not JSON/);
  refuses(() => parseJson(Uint8Array.from([0x7b, 0xff, 0x7d])), /text in utf-8/);
  refuses(() => parseJson(Buffer.from('{"a":1}', 'utf16le')), /not JSON/);
  refuses(() => parseJson(bodyBytes('['.repeat(200_000))), /not JSON/);
  assert.deepEqual(parseJson(bodyBytes('\uFEFF{"a":1}')), { a: 1 });
});

test('a list that is too long is refused, not cut', () => {
  refuses(() => requireList(new Array(200_001).fill(0), 'rows'), /more than 200000 rows at rows/);
});

test('flags are read in the ways that feeds write them', () => {
  assert.deepEqual(
    [asFlag(1), asFlag(true), asFlag(0), asFlag('false'), asFlag(undefined), asFlag(2)],
    [true, true, false, false, undefined, undefined],
  );
});

test("an excerpt of a publisher's text is one short line", () => {
  assert.equal(excerpt('Daily limit\n\u001b[31mexceeded'), 'Daily limit [31mexceeded');
  assert.equal(excerpt('x'.repeat(500)).length, 100);
  assert.equal(excerpt({ text: 1 }), 'no reason given');
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
