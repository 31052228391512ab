import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOpen, openClockHours, openingHours, openingState, timeUntilClose } from './opening-hours.ts';
import { DAY, HOUR, MINUTE, SLOT } from './slot.ts';
import { changingZones, localZone, singapore } from './zones.fixture.ts';

const { localClock } = singapore;

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
    assert.equal(
      timeUntilClose(outlet, at(clock), singapore),
      minutes * MINUTE,
      `${opens_at}–${closes_at} at ${clock}`,
    );
    assert.equal(isOpen(outlet, at(clock), singapore), minutes > 0);
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
        opens_at: localClock(midnight + opens * MINUTE),
        closes_at: localClock(midnight + closes * MINUTE),
      };
      const time = midnight + now * MINUTE;
      const since = (now - opens + 1440) % 1440;
      const length = (closes - opens + 1440) % 1440 || 1440;
      assert.equal(isOpen(outlet, time, singapore), since < length);
      assert.equal(isOpen(outlet, time + DAY, singapore), isOpen(outlet, time, singapore));
      const left = timeUntilClose(outlet, time, singapore);
      if (left === 0) return;
      assert.equal(localClock(time + left), outlet.closes_at);
      assert.ok(isOpen(outlet, time + left - MINUTE, singapore));
    }),
  );
});

test('hours that pass, on the days on which clocks change', () => {
  const berlin = localZone('Europe/Berlin');
  const table: [opens_at: string, closes_at: string, now: string, minutes: number][] = [
    // Clocks go from 02:00 to 03:00 at 01:00 UTC on 29 March.
    ['18:00', '03:30', '2026-03-28T23:00:00Z', 150],
    ['18:00', '02:30', '2026-03-28T23:00:00Z', 120],
    ['18:00', '02:30', '2026-03-29T01:00:00Z', 0],
    ['02:30', '09:00', '2026-03-29T01:00:00Z', 360],
    ['00:00', '00:00', '2026-03-28T23:00:00Z', 23 * 60],
    // Clocks go from 03:00 back to 02:00 at 01:00 UTC on 25 October.
    ['18:00', '04:00', '2026-10-24T22:00:00Z', 300],
    ['18:00', '02:30', '2026-10-25T00:15:00Z', 15],
    ['18:00', '02:30', '2026-10-25T01:15:00Z', 0],
    ['02:30', '09:00', '2026-10-25T00:30:00Z', 450],
    ['02:30', '09:00', '2026-10-25T01:00:00Z', 420],
    ['00:00', '00:00', '2026-10-24T22:00:00Z', 25 * 60],
  ];
  for (const [opens_at, closes_at, now, minutes] of table)
    assert.equal(
      timeUntilClose({ opens_at, closes_at }, Date.parse(now), berlin) / MINUTE,
      minutes,
      `${opens_at}–${closes_at} at ${now}`,
    );
});

test('an outlet opens and closes once a day in every zone, whatever its hours', () => {
  const minute = fc.nat({ max: 95 }).map((quarter) => 15 * quarter);
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  for (const zone of changingZones) {
    const changes = zone.offsetsBetween(
      Date.parse('2026-01-01T00:00:00Z'),
      Date.parse('2027-01-01T00:00:00Z'),
    );
    fc.assert(
      fc.property(minute, minute, fc.constantFrom(...changes), (opens, closes, { from }) => {
        // Closed for longer than clocks skip: else it may close and open at the same instant.
        fc.pre((opens - closes + 24 * 60) % (24 * 60) > 60);
        const outlet = { opens_at: clock(opens), closes_at: clock(closes) };
        let openings = 0;
        const [first, last] = [zone.startOfDay(from, -2), zone.startOfDay(from, 3)];
        for (let time = first; time < last; time += 15 * MINUTE) {
          const left = timeUntilClose(outlet, time, zone);
          if (left && !isOpen(outlet, time - 1, zone)) openings += 1;
          if (left) assert.ok(!isOpen(outlet, time + left, zone) && isOpen(outlet, time + left - 1, zone));
        }
        // Hours that lie within the gap are closed on that day.
        assert.ok(openings >= 4 && openings <= 6, `${outlet.opens_at}-${outlet.closes_at}: ${openings}`);
      }),
      { numRuns: 20 },
    );
  }
});

test('an open outlet changes when it closes, a closed one when it opens next', () => {
  const table: [opens_at: string, closes_at: string, clock: string, open: boolean, minutes: number | null][] =
    [
      ['08:00', '18:00', '07:30', false, 30],
      ['08:00', '18:00', '08:00', true, 600],
      ['08:00', '18:00', '18:00', false, 14 * 60],
      ['17:30', '02:00', '01:00', true, 60],
      ['17:30', '02:00', '02:00', false, 15.5 * 60],
      ['06:00', '06:00', '03:00', true, null],
    ];
  for (const [opens_at, closes_at, clock, open, minutes] of table) {
    const changes_at = minutes === null ? null : at(clock) + minutes * MINUTE;
    assert.deepEqual(
      openingState({ opens_at, closes_at }, at(clock), singapore),
      { open, changes_at },
      `${opens_at}–${closes_at} at ${clock}`,
    );
  }
});

test('for any hours, the state is the other one when it changes', () => {
  const clock = fc
    .nat({ max: 95 })
    .map((n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`);
  fc.assert(
    fc.property(clock, clock, fc.nat({ max: 96 * 14 }), (opens_at, closes_at, n) => {
      const outlet = { opens_at, closes_at };
      const now = midnight + n * 15 * MINUTE;
      const { open, changes_at } = openingState(outlet, now, singapore);
      assert.equal(open, isOpen(outlet, now, singapore));
      if (changes_at === null) return;
      assert.ok(changes_at > now && changes_at <= now + DAY);
      assert.equal(isOpen(outlet, changes_at, singapore), !open);
      assert.equal(isOpen(outlet, changes_at - MINUTE, singapore), open);
    }),
  );
});

test('it is closed outside the whole hours of its opening hours, also where clocks change', () => {
  const quarter = fc.nat({ max: 95 }).map((n) => singapore.localClock(midnight + n * SLOT));
  const from = Date.parse('2026-01-01T00:00:00Z');
  const slots = changingZones.map((zone) => {
    const changes = zone.offsetsBetween(from, from + 366 * DAY).map((period) => period.from);
    const near = changes.flatMap((change) =>
      Array.from({ length: 192 }, (_, n) => Math.max(from, change) + (n - 96) * SLOT),
    );
    return { zone, near };
  });
  fc.assert(
    fc.property(quarter, quarter, (opens_at, closes_at) => {
      const outlet = { opens_at, closes_at };
      const { from, to } = openClockHours(outlet);
      for (const { zone, near } of slots)
        for (const slot of near) {
          const hour = zone.hourOfDay(slot);
          const isWithin = (hour >= from && hour < to) || hour + 24 < to;
          assert.ok(isWithin || !isOpen(outlet, slot, zone), `${zone.name} ${opens_at} ${closes_at} ${slot}`);
        }
    }),
    { numRuns: 30 },
  );
});
