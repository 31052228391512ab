import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOpen, openingHours, timeUntilClose } from './opening-hours.ts';
import { clockOf } from './sgt.ts';
import { DAY, HOUR, MINUTE } from './slot.ts';

const midnight = Date.parse('2026-11-11T00:00:00+08:00');
const at = (clock: string) => midnight + Number(clock.slice(0, 2)) * HOUR + Number(clock.slice(3)) * MINUTE;

test('an outlet is open from the minute it opens until the minute it closes, also past midnight', () => {
  const table: [opens_at: string, closes_at: string, clock: string, minutes: number][] = [
    ['08:00', '18:00', '07:59', 0],
    ['08:00', '18:00', '08:00', 600],
    ['08:00', '18:00', '17:59', 1],
    ['08:00', '18:00', '18:00', 0],
    ['08:00', '18:00', '02:00', 0],
    ['17:30', '02:00', '17:29', 0],
    ['17:30', '02:00', '17:30', 510],
    ['17:30', '02:00', '23:59', 121],
    ['17:30', '02:00', '00:00', 120],
    ['17:30', '02:00', '01:45', 15],
    ['17:30', '02:00', '02:00', 0],
    ['12:30', '00:00', '23:45', 15],
    ['12:30', '00:00', '00:00', 0],
    ['00:00', '00:00', '13:00', 660],
  ];
  for (const [opens_at, closes_at, clock, minutes] of table) {
    const outlet = { opens_at, closes_at };
    assert.equal(timeUntilClose(outlet, at(clock)), minutes * MINUTE, `${opens_at}–${closes_at} at ${clock}`);
    assert.equal(isOpen(outlet, at(clock)), minutes > 0);
  }
});

test('closing hours past midnight count on from 24', () => {
  assert.deepEqual(openingHours({ opens_at: '17:30', closes_at: '02:15' }), { opens: 17.5, closes: 26.25 });
  assert.deepEqual(openingHours({ opens_at: '08:00', closes_at: '18:00' }), { opens: 8, closes: 18 });
});

test('for any hours, it closes after the time that is returned, and not before', () => {
  const minute = fc.nat({ max: 1439 });
  fc.assert(
    fc.property(minute, minute, minute, (opens, closes, now) => {
      const outlet = {
        opens_at: clockOf(midnight + opens * MINUTE),
        closes_at: clockOf(midnight + closes * MINUTE),
      };
      const time = midnight + now * MINUTE;
      const since = (now - opens + 1440) % 1440;
      const length = (closes - opens + 1440) % 1440 || 1440;
      assert.equal(isOpen(outlet, time), since < length);
      assert.equal(isOpen(outlet, time + DAY), isOpen(outlet, time));
      const left = timeUntilClose(outlet, time);
      if (left === 0) return;
      assert.equal(clockOf(time + left), outlet.closes_at);
      assert.ok(isOpen(outlet, time + left - MINUTE));
    }),
  );
});
