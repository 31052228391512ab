import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  dayAndHour,
  hourLabel,
  isMonthName,
  isoWeek,
  isWeekName,
  monthBefore,
  monthNamed,
  startOfUtcDay,
  startOfWeek,
  weekBefore,
  weekNamed,
} from './periods.ts';
import { DAY, iso, SLOT } from './slot.ts';
import { changingZones, singapore } from './zones.fixture.ts';

const { localDate, hourOfWeek, localMonth, weekday } = singapore;

const at = (local: string) => Date.parse(`${local}+08:00`);

test('ISO weeks of Singapore days, at the ends of years and days', () => {
  const table: [time: number, week: string][] = [
    [at('2026-11-11T12:00:00'), '2026-W46'],
    [at('2026-11-09T00:00:00'), '2026-W46'],
    [at('2026-11-08T23:59:59'), '2026-W45'],
    // Already Monday in Singapore, still Sunday in UTC.
    [Date.parse('2026-11-08T16:00:00Z'), '2026-W46'],
    [at('2025-12-28T23:45:00'), '2025-W52'],
    [at('2025-12-29T00:00:00'), '2026-W01'],
    [at('2026-01-01T12:00:00'), '2026-W01'],
    [at('2026-12-31T23:59:59'), '2026-W53'],
    [at('2027-01-03T23:59:59'), '2026-W53'],
    [at('2027-01-04T00:00:00'), '2027-W01'],
    [at('2020-12-31T00:00:00'), '2020-W53'],
    [at('2021-01-03T00:00:00'), '2020-W53'],
    [at('2024-12-30T00:00:00'), '2025-W01'],
    [at('2023-01-01T00:00:00'), '2022-W52'],
  ];
  for (const [time, week] of table) assert.equal(isoWeek(time, singapore), week, iso(time));
});

test('a year has 52 or 53 weeks and 12 months', () => {
  for (const week of ['2026-W01', '2026-W53', '2025-W52', '2020-W53']) assert.ok(isWeekName(week), week);
  for (const week of ['2026-W00', '2026-W54', '2026-W99', '2025-W53', '2026-W5', '2026-45', 'x2026-W05'])
    assert.ok(!isWeekName(week), week);
  for (const month of ['2026-01', '2026-12']) assert.ok(isMonthName(month), month);
  for (const month of ['2026-00', '2026-13', '2026-1', '2026-10-01', '2026-10\n'])
    assert.ok(!isMonthName(month), month);
});

test('a week has one name, the next another, and names sort by time', () => {
  const times = fc.integer({ min: at('2000-01-01T00:00:00'), max: at('2100-01-01T00:00:00') });
  fc.assert(
    fc.property(times, (time) => {
      const monday = startOfWeek(time, singapore);
      assert.ok(monday <= time && time < monday + 7 * DAY && weekday(monday) === 0);
      assert.equal(isoWeek(monday, singapore), isoWeek(time, singapore));
      assert.equal(isoWeek(monday + 7 * DAY - 1, singapore), isoWeek(time, singapore));
      assert.ok(
        isoWeek(monday - 1, singapore) < isoWeek(time, singapore) &&
          isoWeek(time, singapore) < isoWeek(monday + 7 * DAY, singapore),
      );
      assert.match(isoWeek(time, singapore), /^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/);
    }),
  );
});

test('the previous week and month are whole, at any time of the present one', () => {
  const named = ({ from, to }: { from: number; to: number }) => [localDate(from), localDate(to - 1)];
  assert.deepEqual(named(weekBefore(at('2026-11-09T09:00:00'), singapore)), ['2026-11-02', '2026-11-08']);
  assert.deepEqual(named(weekBefore(at('2026-11-15T23:45:00'), singapore)), ['2026-11-02', '2026-11-08']);
  assert.deepEqual(named(monthBefore(at('2026-11-01T04:00:00'), singapore)), ['2026-10-01', '2026-10-31']);
  assert.deepEqual(named(monthBefore(at('2027-01-01T00:00:00'), singapore)), ['2026-12-01', '2026-12-31']);
  assert.deepEqual(named(monthBefore(at('2028-03-31T23:59:00'), singapore)), ['2028-02-01', '2028-02-29']);
  for (const month of ['2026-02', '2026-12', '2028-02']) {
    const { from, to } = monthNamed(month, singapore);
    assert.deepEqual(
      [localMonth(from), localMonth(to - SLOT), localMonth(from - 1) < month],
      [month, month, true],
    );
    assert.notEqual(localMonth(to), month);
  }
});

test('an hour of the week has a day and an hour', () => {
  assert.deepEqual(dayAndHour(0), { day: 'monday', hour: 0 });
  assert.deepEqual(dayAndHour(167), { day: 'sunday', hour: 23 });
  assert.deepEqual(dayAndHour(hourOfWeek(at('2026-11-11T15:45:00'))), { day: 'wednesday', hour: 15 });
  assert.deepEqual([hourLabel(9), hourLabel(23)], ['09:00-10:00', '23:00-00:00']);
});

test('a UTC day begins at 08:00 in Singapore', () => {
  assert.equal(startOfUtcDay(at('2026-11-11T07:59:59')), at('2026-11-10T08:00:00'));
  assert.equal(startOfUtcDay(at('2026-11-11T08:00:00')), at('2026-11-11T08:00:00'));
});

test('weeks and months cover the time of every zone without gap or overlap', () => {
  for (const zone of changingZones) {
    let [week, month] = [startOfWeek(at('2025-12-01T12:00:00'), zone), at('2025-12-15T12:00:00')];
    for (let count = 0; count < 120; count++) {
      const next = zone.startOfDay(week, 7);
      assert.deepEqual(weekBefore(next, zone), { from: week, to: next });
      assert.deepEqual(weekNamed(isoWeek(week, zone), zone), { from: week, to: next });
      assert.deepEqual([startOfWeek(next - 1, zone), startOfWeek(next, zone)], [week, next]);
      assert.deepEqual([zone.weekday(week), zone.weekday(next - 1)], [0, 6]);
      assert.ok(isoWeek(week, zone) === isoWeek(next - 1, zone) && isoWeek(week, zone) < isoWeek(next, zone));
      assert.ok(isWeekName(isoWeek(week, zone)));
      week = next;
    }
    for (let count = 0; count < 30; count++) {
      const { from, to } = monthNamed(zone.localMonth(month), zone);
      assert.deepEqual(monthBefore(to, zone), { from, to });
      assert.deepEqual(
        [zone.localMonth(from), zone.localMonth(to - 1)],
        [zone.localMonth(month), zone.localMonth(month)],
      );
      assert.equal(monthNamed(zone.localMonth(to), zone).from, to);
      month = to;
    }
  }
});
