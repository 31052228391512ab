import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { instantsAt, offsetAt } from './local-time.ts';
import { observedTime } from './observed-time.ts';
import type { TimeRead } from './settings.ts';
import { timeReader, writeTime } from './time-format.ts';

const NOW = Date.parse('2026-10-25T00:20:00Z');
const reader = (settings: Omit<TimeRead, 'at'>, now = NOW) =>
  observedTime({ at: 't', ...settings }, { zone: 'Europe/Berlin', now });
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 19));

describe('a time', () => {
  const cases: [raw: unknown, settings: Omit<TimeRead, 'at'>, expected: string | null][] = [
    ['2026-06-10T12:00:00+02:00', {}, '2026-06-10T10:00:00'],
    ['2026-06-10T10:00:00Z', {}, '2026-06-10T10:00:00'],
    ['2026-06-10 12:00', {}, '2026-06-10T10:00:00'],
    ['2026-06-10T12:00:00.1234567', {}, '2026-06-10T10:00:00'],
    ['2026-06-10 10:00:00', { zone: 'UTC' }, '2026-06-10T10:00:00'],
    ['2026-06-10T15:30:00+0530', {}, '2026-06-10T10:00:00'],
    ['2026-01-10 12:00', {}, '2026-01-10T11:00:00'],
    ['10.06.2026 12:00', { format: 'DD.MM.YYYY HH:mm' }, '2026-06-10T10:00:00'],
    ['6/10/2026 12:00:00 PM', { format: 'M/D/YYYY HH:mm:ss A' }, '2026-06-10T10:00:00'],
    ['6/10/2026 12:00:00 AM', { format: 'M/D/YYYY HH:mm:ss A' }, '2026-06-09T22:00:00'],
    ['2026-06-09 24:00', {}, '2026-06-09T22:00:00'],
    ['2026-06-09 24:15', {}, null],
    ['2026-06-10 12:00', { stamp: 'start', minutes: 15 }, '2026-06-10T10:15:00'],
    ['2026-06-10 12:00', { stamp: 'end', minutes: 15 }, '2026-06-10T10:00:00'],
    [1_781_085_600, { format: 'epoch_s' }, '2026-06-10T10:00:00'],
    ['1781085600', { format: 'epoch_s' }, '2026-06-10T10:00:00'],
    [1_781_085_600_000, { format: 'epoch_ms' }, '2026-06-10T10:00:00'],
    [1_781_085_600, { format: 'epoch_ms' }, null],
    [-1, { format: 'epoch_s' }, null],
    ['0001-01-01T00:00:00', {}, null],
    ['2026-02-30 12:00', {}, null],
    ['2026-13-01 12:00', {}, null],
    ['2026-06-10 25:00', {}, null],
    ['soon', {}, null],
    [null, {}, null],
    ['', {}, null],
    [{}, {}, null],
    // The clocks go forward at 02:00 on 29 March.
    ['2026-03-29 02:30', {}, null],
    ['2026-03-29 03:00', {}, '2026-03-29T01:00:00'],
  ];
  const intervals: typeof cases = [
    ['2026-06-10T09:45:00.000Z/2026-06-10T10:00:00.000Z', {}, '2026-06-10T10:00:00'],
    ['2026-06-10T11:45:00+02:00/2026-06-10T12:00:00', {}, '2026-06-10T10:00:00'],
    ['2026-06-10T11:45/2026-06-10T12:00', {}, '2026-06-10T10:00:00'],
    ['2026-06-10T09:45Z / 2026-06-10T10:00Z', {}, '2026-06-10T10:00:00'],
    // The end is written, so that nothing is added to it.
    ['2026-06-10T09:45Z/2026-06-10T10:00Z', { stamp: 'start', minutes: 15 }, '2026-06-10T10:00:00'],
    ['2026-06-10T09:45:00Z/PT15M', {}, '2026-06-10T10:00:00'],
    ['2026-06-08T08:00:00Z/P2DT1H59M60S', {}, '2026-06-10T10:00:00'],
    // Daylight saving skips the hour between the start and the end.
    ['2026-03-29T01:45/PT30M', {}, '2026-03-29T01:15:00'],
    ['PT15M/2026-06-10T10:00:00Z', {}, '2026-06-10T10:00:00'],
    ['../2026-06-10T10:00:00Z', {}, '2026-06-10T10:00:00'],
    ['2026-10-25T02:50/2026-10-25T02:05', { repeated_hour: 'latest' }, '2026-10-25T00:05:00'],
    ['2026-06-10T10:00:00Z/..', {}, null],
    ['2026-06-10T10:00:00Z/', {}, null],
    ['/2026-06-10T10:00:00Z', {}, null],
    ['2026-06-10T10:00:00Z/P', {}, null],
    ['2026-06-10T10:00:00Z/P1M', {}, null],
    ['2026-06-10T10:00:00Z/2026-06-10T09:45:00Z', {}, null],
    ['2026-06-10T09:45:00Z/2026-06-10T10:00:00Z/2026-06-10T10:15:00Z', {}, null],
    ['soon/2026-06-10T10:00:00Z', {}, null],
    ['10.06.2026 12:00/10.06.2026 12:15', { format: 'DD.MM.YYYY HH:mm' }, null],
  ];
  for (const [raw, settings, expected] of [...cases, ...intervals])
    test(`${JSON.stringify(raw)} with ${JSON.stringify(settings)}`, () => {
      assert.equal(iso(reader(settings)([raw], 'a')), expected);
    });

  test('date and hour in two columns', () => {
    assert.equal(iso(reader({ format: 'M/D/YYYY H' })(['6/10/2026', '9'], 'a')), '2026-06-10T07:00:00');
    assert.equal(reader({ format: 'M/D/YYYY H' })(['6/10/2026', ''], 'a'), null);
  });

  for (const format of ['HH:mm', 'YYYY-MM', 'DD.MM.YYYY DD'])
    test(`the format ${format} is refused`, () => {
      assert.throws(() => reader({ format }), /settings: the time format/);
    });

  test('an unknown zone is refused', () => {
    assert.throws(() => reader({ zone: 'Mars/Olympus' })(['2026-06-10 12:00'], 'a'), /not a time zone/);
  });
});

describe('the hour that the clock change repeats', () => {
  const repeated = '2026-10-25 02:10';
  const [earlier, later] = ['2026-10-25T00:10:00', '2026-10-25T01:10:00'];

  test('in order: the first row of a place and field is the earlier, the second the later', () => {
    const read = reader({});
    assert.equal(iso(read([repeated], 'a')), earlier);
    assert.equal(iso(read([repeated], 'b')), earlier);
    assert.equal(iso(read([repeated], 'a')), later);
  });

  test('latest: the later one, unless that is still to come', () => {
    assert.equal(iso(reader({ repeated_hour: 'latest' })([repeated], 'a')), earlier);
    const now = Date.parse('2026-10-25T01:20:00Z');
    assert.equal(iso(reader({ repeated_hour: 'latest' }, now)([repeated], 'a')), later);
  });

  test('none: not at all', () => assert.equal(reader({ repeated_hour: 'none' })([repeated], 'a'), null));
});

describe('wall-clock times', () => {
  const zones = [
    'Europe/Berlin',
    'Australia/Melbourne',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
  ];
  const minute = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 });

  test('of any instant lead back to it, alone or as one of two', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, (zone, at) => {
        const time = at * 60_000;
        const found = instantsAt(time + offsetAt(time, zone), zone);
        assert.ok(found.includes(time) && found.length <= 2);
      }),
    );
  });

  test('are read as they were written', () => {
    const format = 'DD.MM.YYYY HH:mm:ss Z';
    const read = timeReader(format);
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, (zone, at) => {
        const time = at * 60_000;
        const written = read(writeTime(time, format, zone));
        assert.ok(written && written.offset !== null);
        assert.equal(written.wall - written.offset * 60_000, time);
      }),
    );
  });

  test('of half-hour clock changes', () => {
    // Lord Howe goes back from +11:00 to +10:30 at 02:00 on 5 April 2026: 01:45 occurs twice.
    const found = instantsAt(Date.UTC(2026, 3, 5, 1, 45), 'Australia/Lord_Howe');
    assert.deepEqual(found.map(iso), ['2026-04-04T14:45:00', '2026-04-04T15:15:00']);
  });
});
