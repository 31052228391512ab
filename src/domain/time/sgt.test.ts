import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  clockOf,
  DAY,
  dateOf,
  hourOfDay,
  hourOfWeek,
  monthOf,
  SLOT,
  slotOf,
  startOfDay,
  startOfMonth,
  weekday,
} from './sgt.ts';

const at = (text: string) => Date.parse(text);

test('dates, times and weekdays are those of Singapore', () => {
  const table = [
    // UTC, date, clock, weekday (0 is Monday), hour of week
    ['2026-11-14T15:59:59Z', '2026-11-14', '23:59', 5, 143],
    ['2026-11-14T16:00:00Z', '2026-11-15', '00:00', 6, 144],
    ['2026-11-15T16:00:00Z', '2026-11-16', '00:00', 0, 0],
    ['1970-01-01T00:00:00Z', '1970-01-01', '08:00', 3, 80],
    ['2024-02-28T16:30:00Z', '2024-02-29', '00:30', 3, 72],
  ] as const;
  for (const [utc, date, clock, day, hour] of table) {
    const named = [dateOf(at(utc)), clockOf(at(utc)), weekday(at(utc)), hourOfWeek(at(utc))];
    assert.deepEqual(named, [date, clock, day, hour], utc);
  }
  assert.equal(hourOfDay(at('2026-11-15T00:30:00Z')), 8.5);
});

test('months begin at midnight in Singapore, also across a year', () => {
  assert.equal(startOfMonth(at('2026-11-15T01:00:00Z'), -1), at('2026-09-30T16:00:00Z'));
  assert.equal(startOfMonth(at('2026-01-01T00:00:00Z'), -1), at('2025-11-30T16:00:00Z'));
  assert.equal(startOfMonth(at('2025-12-31T16:00:00Z')), at('2025-12-31T16:00:00Z'));
  assert.equal(monthOf(at('2025-12-31T16:00:00Z')), '2026-01');
});

test('agrees with Intl.DateTimeFormat', () => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Asia/Singapore',
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  // Singapore has used UTC+8 since 1982.
  fc.assert(
    fc.property(fc.integer({ min: at('1983-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z') }), (time) => {
      assert.equal(`${dateOf(time)}, ${clockOf(time)}`, format.format(time));
      assert.ok(startOfDay(time) <= time && time < startOfDay(time) + DAY);
      assert.ok(slotOf(time) <= time && time < slotOf(time) + SLOT && slotOf(time) % SLOT === 0);
    }),
  );
});
