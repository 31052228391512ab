import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { epochTime, isoTime } from './time.ts';

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
    ['1989-12-31T23:59:59Z', undefined, 'bad_time'],
    ['1990-01-01T00:00:00Z', undefined, Date.UTC(1990, 0)],
    ['2099-12-31T23:59:59Z', undefined, Date.UTC(2100, 0) - 1000],
    ['2100-01-01T00:00:00Z', undefined, 'bad_time'],
    ['2026-01-12t04:00:00z', undefined, noon],
    ['2026-01-12T12:00:00,5 +08', undefined, noon + 500],
    ['2026-01-11T24:00:00Z', undefined, noon - 4 * 3_600_000],
    ['2016-12-31T23:59:60Z', undefined, Date.UTC(2016, 11, 31, 23, 59, 59)],
    ['yesterday', undefined, 'bad_time'],
    [noon, undefined, 'bad_time'],
    [null, 0, 'bad_time'],
  ];
  for (const [value, offset, expected] of table)
    assert.equal(isoTime(value, offset), expected, JSON.stringify(value));
});

test('epoch times in seconds and milliseconds; zero is no time', () => {
  const time = 1_712_349_447_000;
  for (const value of [time / 1000, time, '1712349447', ' 1712349447.0 ', String(time)])
    assert.equal(epochTime(value), time, String(value));
  assert.equal(epochTime(1_712_349_447.0139), time + 14, 'to the nearest millisecond');
  for (const value of [0, -1, '', null, undefined, true, 1e300, [time]])
    assert.equal(epochTime(value), 'bad_time', String(value));
  assert.equal(epochTime(time, 'ms'), time);
  assert.equal(epochTime(time / 1000, 'ms'), 'bad_time');
});

test('every ISO time agrees with Date.parse', () => {
  const times = fc.date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(times, (date) => assert.equal(isoTime(date.toISOString()), date.getTime())));
  fc.assert(fc.property(fc.string(), (text) => void isoTime(text)));
});
