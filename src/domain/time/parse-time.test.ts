import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTime } from './parse-time.ts';
import { iso, MINUTE } from './slot.ts';
import { changingZones, localZone, singapore } from './zones.fixture.ts';

const { localClock, localDate } = singapore;

const now = Date.parse('2026-11-11T12:30:00+08:00');

test('accepted and refused formats', () => {
  const table: [text: string, time: string | undefined][] = [
    ['09:05', '2026-11-11T01:05:00.000Z'],
    ['2026-11-10 23:45', '2026-11-10T15:45:00.000Z'],
    ['2026-11-10T23:45', '2026-11-10T15:45:00.000Z'],
    ['2026-11-10 23:45:30', '2026-11-10T15:45:30.000Z'],
    ['2026-11-11T04:00:00Z', '2026-11-11T04:00:00.000Z'],
    ['2026-11-11T04:00:00.250Z', '2026-11-11T04:00:00.250Z'],
    ['2026-11-11 06:00+02:00', '2026-11-11T04:00:00.000Z'],
    ['2026-11-10 23:45:60', undefined],
    ['2026-11-10 23:60', undefined],
    ['24:00', undefined],
    ['9:05', undefined],
    ['2026-02-30 10:00', undefined],
    ['2026-13-01 10:00', undefined],
    ['2026-11-10', undefined],
    ['2026-11-10 23:60', undefined],
    ['2026-11-10T10:00+99:00', undefined],
    ['yesterday', undefined],
    ['', undefined],
    ['1762833600000', undefined],
    ['2026-11-10 10:00 ', undefined],
  ];
  for (const [text, time] of table) {
    const at = parseTime(text, now, singapore);
    assert.equal(at === undefined ? at : iso(at), time, text);
  }
});

test('times as they are printed are parsed back', () => {
  const minutes = fc.integer({ min: 7_000_000, max: 40_000_000 }).map((n) => n * MINUTE);
  fc.assert(
    fc.property(minutes, (time) => {
      assert.equal(parseTime(`${localDate(time)} ${localClock(time)}`, now, singapore), time);
      assert.equal(parseTime(iso(time), now, singapore), time);
    }),
  );
});

test('any text gives an integer time or undefined', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const time = parseTime(text, now, singapore);
      assert.ok(time === undefined || Number.isInteger(time));
    }),
  );
});

test('times of every zone are parsed back, and those that clocks skip or repeat are taken as stated', () => {
  const table: [text: string, utc: string][] = [
    ['2026-03-29 02:30', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25 03:00', '2026-10-25T02:00:00.000Z'],
  ];
  const berlin = localZone('Europe/Berlin');
  for (const [text, utc] of table) assert.equal(iso(parseTime(text, now, berlin) ?? 0), utc, text);
  const minutes = fc.integer({ min: 28_000_000, max: 32_000_000 }).map((n) => n * MINUTE);
  for (const zone of changingZones) {
    const { localDate, localClock } = zone;
    fc.assert(
      fc.property(minutes, (time) => {
        const parsed = parseTime(`${localDate(time)} ${localClock(time)}`, now, zone) ?? 0;
        assert.ok(parsed === time || (parsed < time && time - parsed <= 60 * MINUTE));
        assert.equal(localClock(parsed), localClock(time));
      }),
    );
  }
});
