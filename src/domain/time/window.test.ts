import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startOfUtcDay } from './periods.ts';
import { DAY, HOUR, SLOT, slotStart } from './slot.ts';
import { lastHours, namedWindow, slotSpan, splitAfter, splitDays, type WindowName } from './window.ts';
import { localZone, singapore } from './zones.fixture.ts';

const { startOfDay } = singapore;

const now = Date.parse('2026-11-11T04:00:00Z');

test('a window has its length and ends now', () => {
  const table: [name: WindowName, long: number][] = [
    ['1h', HOUR],
    ['24h', DAY],
    ['1d', DAY],
    ['7d', 7 * DAY],
    ['14d', 14 * DAY],
    ['30d', 30 * DAY],
    ['all', now],
  ];
  for (const [name, long] of table)
    assert.deepEqual(namedWindow(name, now), { after: now - long, until: now });
});

test('fractions of an hour give whole milliseconds, as the store needs', () => {
  assert.deepEqual(lastHours(1.5, now), { after: now - 1.5 * HOUR, until: now });
  assert.ok(Number.isInteger(lastHours(1.0000001, now).after));
});

test('the slots of a window: after its start, up to its end', () => {
  const noon = slotStart(now);
  assert.deepEqual(slotSpan({ after: noon, until: noon + SLOT }), { from: noon + SLOT, to: noon + 2 * SLOT });
  assert.deepEqual(slotSpan({ after: noon - 1, until: noon + SLOT - 1 }), { from: noon, to: noon + SLOT });
});

test('days of a span, in UTC and in Singapore', () => {
  const dates = (until: string, startOf: (time: number) => number) => {
    const end = Date.parse(until);
    return splitDays(slotSpan({ after: startOf(end) - DAY - 1, until: end }), startOf).map(({ from, to }) => [
      new Date(from).toISOString().slice(0, 16),
      (to - from) / SLOT,
    ]);
  };
  assert.deepEqual(dates('2026-11-11T00:00:00Z', startOfUtcDay), [
    ['2026-11-10T00:00', 96],
    ['2026-11-11T00:00', 1],
  ]);
  assert.deepEqual(dates('2026-03-01T23:59:59Z', startOfUtcDay), [
    ['2026-02-28T00:00', 96],
    ['2026-03-01T00:00', 96],
  ]);
  assert.deepEqual(dates('2026-11-01T00:10:00+08:00', startOfDay), [
    ['2026-10-30T16:00', 96],
    ['2026-10-31T16:00', 1],
  ]);
});

test('for any span, its days cover its slots, each within one day', () => {
  const time = fc.integer({ min: now - 100 * DAY, max: now }).map(slotStart);
  fc.assert(
    fc.property(time, fc.nat(2000), fc.constantFrom(startOfDay, startOfUtcDay), (from, slots, startOf) => {
      const to = from + slots * SLOT;
      let next = from;
      for (const day of splitDays({ from, to }, startOf)) {
        assert.equal(day.from, next);
        assert.ok(day.to > day.from);
        assert.equal(startOf(day.from), startOf(day.to - 1));
        next = day.to;
      }
      assert.equal(next, to);
    }),
  );
});

test('a span is split after a slot, which may lie outside of it', () => {
  const span = { from: now, to: now + 4 * SLOT };
  const cutAfter = (last: number | null) => {
    const [until, after] = splitAfter(span, last);
    assert.deepEqual([until.from, after.to], [span.from, span.to]);
    assert.equal(until.to, after.from);
    return (after.from - now) / SLOT;
  };
  assert.deepEqual(
    [null, now - SLOT, now, now + 3 * SLOT, now + 4 * SLOT, now - DAY].map(cutAfter),
    [0, 0, 1, 4, 4, 0],
  );
});

test('days of 23, 24 and 25 hours', () => {
  const hours = (from: string, to: string) =>
    splitDays(
      { from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`) },
      localZone('Europe/Berlin').startOfDay,
    ).map((day) => (day.to - day.from) / HOUR);
  assert.deepEqual(hours('2026-03-27T23:00', '2026-03-30T22:00'), [24, 23, 24]);
  assert.deepEqual(hours('2026-10-23T22:00', '2026-10-26T23:00'), [24, 25, 24]);
  assert.deepEqual(hours('2026-10-24T23:30', '2026-10-25T12:00'), [12.5]);
});
