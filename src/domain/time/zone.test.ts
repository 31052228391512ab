import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SLOT, slotStart } from './slot.ts';
import { timeZone, type Zone } from './zone.ts';
import { changingZones, localZone, singapore } from './zones.fixture.ts';

const at = (text: string) => Date.parse(text);
const during = (from: string, to: string) => fc.integer({ min: at(from), max: at(to) });

test('dates, times and weekdays of a zone with one offset', () => {
  const table = [
    // UTC, date, clock, weekday (0 is Monday), hour of week
    ['2026-11-14T15:59:59Z', '2026-11-14', '23:59', 5, 143],
    ['2026-11-14T16:00:00Z', '2026-11-15', '00:00', 6, 144],
    ['2026-11-15T16:00:00Z', '2026-11-16', '00:00', 0, 0],
    ['1990-01-01T00:00:00Z', '1990-01-01', '08:00', 0, 8],
    ['2024-02-28T16:30:00Z', '2024-02-29', '00:30', 3, 72],
  ] as const;
  const { localDate, localClock, weekday, hourOfWeek, hourOfDay } = singapore;
  for (const [utc, date, clock, day, hour] of table) {
    const named = [localDate(at(utc)), localClock(at(utc)), weekday(at(utc)), hourOfWeek(at(utc))];
    assert.deepEqual(named, [date, clock, day, hour], utc);
  }
  assert.equal(hourOfDay(at('2026-11-15T00:30:00Z')), 8.5);
});

test('days on which clocks change have 23 or 25 hours, or half an hour more or less', () => {
  const table: [zone: string, noon: string, start: string, hours: number][] = [
    ['Europe/Berlin', '2026-03-29T12:00', '2026-03-28T23:00', 23],
    ['Europe/Berlin', '2026-03-30T12:00', '2026-03-29T22:00', 24],
    ['Europe/Berlin', '2026-10-25T12:00', '2026-10-24T22:00', 25],
    ['Australia/Melbourne', '2026-04-05T02:00', '2026-04-04T13:00', 25],
    ['Australia/Melbourne', '2026-10-04T02:00', '2026-10-03T14:00', 23],
    ['America/New_York', '2026-03-08T17:00', '2026-03-08T05:00', 23],
    ['America/New_York', '2026-11-01T17:00', '2026-11-01T04:00', 25],
    ['Asia/Kolkata', '2026-03-29T12:00', '2026-03-28T18:30', 24],
    ['Asia/Kathmandu', '2026-03-29T12:00', '2026-03-28T18:15', 24],
    ['Australia/Lord_Howe', '2026-04-05T02:00', '2026-04-04T13:00', 24.5],
    ['Australia/Lord_Howe', '2026-10-04T02:00', '2026-10-03T13:30', 23.5],
    // Clocks change at midnight, so that the day begins at 01:00 or has two hours from 23:00.
    ['Asia/Beirut', '2026-03-29T12:00', '2026-03-28T22:00', 23],
    ['Asia/Beirut', '2026-10-24T12:00', '2026-10-23T21:00', 25],
    ['America/Havana', '2026-11-01T17:00', '2026-11-01T04:00', 25],
    // The 30th was left out.
    ['Pacific/Apia', '2011-12-29T22:00', '2011-12-29T10:00', 24],
    ['Pacific/Apia', '2011-12-30T22:00', '2011-12-30T10:00', 24],
  ];
  for (const [name, noon, start, hours] of table) {
    const { startOfDay } = timeZone(name);
    const from = startOfDay(at(`${noon}Z`));
    assert.deepEqual(
      [new Date(from).toISOString().slice(0, 16), (startOfDay(at(`${noon}Z`), 1) - from) / HOUR],
      [start, hours],
      `${name} ${noon}`,
    );
  }
});

test('a local time that is skipped is the first instant after the gap, a repeated one the first', () => {
  const table: [zone: string, date: string, clock: string, utc: string, shown?: string][] = [
    ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T00:59'],
    ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:00', '03:00'],
    ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00'],
    ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30'],
    ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00'],
    ['America/New_York', '2026-03-08', '02:00', '2026-03-08T07:00', '03:00'],
    ['America/New_York', '2026-11-01', '01:15', '2026-11-01T05:15'],
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:30', '02:30'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45'],
    ['Asia/Kolkata', '2026-11-15', '09:15', '2026-11-15T03:45'],
    ['Asia/Beirut', '2026-03-29', '00:00', '2026-03-28T22:00', '01:00'],
  ];
  for (const [name, date, clock, utc, shown = clock] of table) {
    const { atLocal, localClock, localDate } = timeZone(name);
    const time = atLocal(date, clock);
    assert.deepEqual(
      [new Date(time).toISOString().slice(0, 16), localDate(time), localClock(time)],
      [utc, date, shown],
      `${name} ${date} ${clock}`,
    );
  }
});

test('agrees with Intl.DateTimeFormat in every zone that is tested', () => {
  for (const zone of [singapore, ...changingZones]) {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone.name,
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    });
    const agrees = (time: number) => {
      assert.equal(`${zone.localDate(time)}, ${zone.localClock(time)}`, format.format(time), zone.name);
      assert.equal(zone.localMonth(time), zone.localDate(time).slice(0, 7));
      const [hours, minutes] = zone.localClock(time).split(':').map(Number);
      assert.equal(Math.floor(zone.hourOfDay(slotStart(time))), hours);
      assert.equal(zone.hourOfWeek(time), 24 * zone.weekday(time) + (hours ?? 0));
      assert.equal((slotStart(time) + zone.offset(time)) % SLOT, 0, 'a slot is a local quarter hour');
      assert.equal(Math.floor((minutes ?? 0) / 15), Math.round((zone.hourOfDay(slotStart(time)) % 1) * 4));
      assert.equal((new Date(`${zone.localDate(time)}T00:00:00Z`).getUTCDay() + 6) % 7, zone.weekday(time));
    };
    fc.assert(fc.property(during('1983-01-01T00:00:00Z', '2100-01-01T00:00:00Z'), agrees));
    // The hours around every clock change of two years.
    for (const { from } of zone.offsetsBetween(at('2026-01-01T00:00:00Z'), at('2028-01-01T00:00:00Z')))
      for (let time = from - 2 * HOUR; time <= from + 2 * HOUR; time += 5 * MINUTE) agrees(time);
  }
});

test('days and months follow one another without gap or overlap, and a clock names its first instant', () => {
  for (const zone of changingZones) {
    const { startOfDay, startOfMonth, localDate, localMonth, localClock, atLocal } = zone;
    let day = startOfDay(at('2026-01-01T12:00:00Z'));
    for (let count = 0; count < 800; count++) {
      const next = startOfDay(day, 1);
      assert.ok(Math.abs(next - day - DAY) <= HOUR);
      assert.deepEqual([startOfDay(next - 1), startOfDay(next), startOfDay(next, -1)], [day, next, day]);
      assert.deepEqual([localClock(day), localDate(next - 1) < localDate(next)], ['00:00', true]);
      day = next;
    }
    fc.assert(
      fc.property(
        during('2020-01-01T00:00:00Z', '2040-01-01T00:00:00Z'),
        fc.integer({ min: -30, max: 30 }),
        (time, n) => {
          assert.ok(startOfMonth(time) <= time && time < startOfMonth(time, 1));
          assert.equal(localMonth(startOfMonth(time, n)) > localMonth(time), n > 0);
          assert.ok(localDate(startOfMonth(time, n)).endsWith('-01'));
          assert.equal(startOfDay(startOfDay(time, n), -n), startOfDay(time));
          const minute = Math.floor(time / MINUTE) * MINUTE;
          const first = atLocal(localDate(minute), localClock(minute));
          assert.ok(first === minute || (first < minute && minute - first <= HOUR));
          assert.deepEqual([localDate(first), localClock(first)], [localDate(minute), localClock(minute)]);
        },
      ),
    );
  }
});

test('months across a year', () => {
  const { startOfMonth, localMonth } = singapore;
  assert.equal(startOfMonth(at('2026-11-15T01:00:00Z'), -1), at('2026-09-30T16:00:00Z'));
  assert.equal(startOfMonth(at('2026-01-01T00:00:00Z'), -1), at('2025-11-30T16:00:00Z'));
  assert.equal(startOfMonth(at('2025-12-31T16:00:00Z')), at('2025-12-31T16:00:00Z'));
  assert.equal(localMonth(at('2025-12-31T16:00:00Z')), '2026-01');
});

test('the hour that is shown twice has one hour of the week, and the one that is skipped has no slot', () => {
  const berlin = localZone('Europe/Berlin');
  const slotsIn = (from: string, to: string) => {
    const counts = new Map<number, number>();
    for (let time = at(from); time < at(to); time += SLOT)
      counts.set(berlin.hourOfWeek(time), (counts.get(berlin.hourOfWeek(time)) ?? 0) + 1);
    return [0, 1, 2, 3].map((hour) => counts.get(6 * 24 + hour) ?? 0);
  };
  assert.deepEqual(slotsIn('2026-10-24T00:00:00Z', '2026-10-26T00:00:00Z'), [4, 4, 8, 4]);
  assert.deepEqual(slotsIn('2026-03-28T00:00:00Z', '2026-03-30T00:00:00Z'), [4, 4, 0, 4]);
});

test('the offsets within a span', () => {
  const offsets = (zone: Zone, from: string, to: string) =>
    zone
      .offsetsBetween(at(from), at(to))
      .map(({ from, offset }) => [new Date(from).toISOString(), offset / HOUR]);
  assert.deepEqual(offsets(localZone('Europe/Berlin'), '2025-12-01T00:00:00Z', '2027-01-02T00:00:00Z'), [
    ['2025-12-01T00:00:00.000Z', 1],
    ['2026-03-29T01:00:00.000Z', 2],
    ['2026-10-25T01:00:00.000Z', 1],
  ]);
  assert.deepEqual(offsets(singapore, '2025-12-01T00:00:00Z', '2027-01-02T00:00:00Z'), [
    ['2025-12-01T00:00:00.000Z', 8],
  ]);
});

test('short names are those of the season and the locale', () => {
  const names = (zone: Zone) =>
    ['2026-01-15T00:00:00Z', '2026-07-15T00:00:00Z'].map((time) => zone.clockWithZone(at(time)));
  assert.deepEqual(names(singapore), ['08:00 SGT', '08:00 SGT']);
  assert.deepEqual(names(timeZone('Europe/Berlin', 'en-GB')), ['01:00 CET', '02:00 CEST']);
  assert.deepEqual(names(timeZone('Europe/Berlin', 'de-DE')), ['01:00 MEZ', '02:00 MESZ']);
  assert.deepEqual(names(timeZone('Australia/Melbourne', 'en-AU')), ['11:00 AEDT', '10:00 AEST']);
  assert.deepEqual(names(timeZone('Asia/Kathmandu', 'en')), ['05:45 GMT+5:45', '05:45 GMT+5:45']);
});

test('a slot is a local quarter hour in every zone', () => {
  for (const name of Intl.supportedValuesOf('timeZone'))
    for (const { offset } of timeZone(name).offsetsBetween(
      at('2026-01-01T00:00:00Z'),
      at('2027-01-01T00:00:00Z'),
    ))
      assert.equal(Math.abs(offset % SLOT), 0, name);
});

test('a zone that does not exist is refused', () => {
  assert.throws(() => timeZone('Asia/Atlantis'), RangeError);
});
