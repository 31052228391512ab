import assert from 'node:assert/strict';
import { test } from 'node:test';
import { end, hours, outletUses, pocketQuarters, start } from '../../../test/support/rows/four-weeks.ts';
import { DAY, HOUR, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { usesWhileOpen } from './patterns/opening-day.ts';
import type { OutletUse } from './patterns/pattern.ts';
import { weekOfUse } from './week-of-use.ts';

const usualUse = (outlet: typeof hours, counted: readonly OutletUse[]) =>
  weekOfUse(outlet, usesWhileOpen(outlet, counted, singapore));

const at = (week: ReturnType<typeof weekOfUse>, weekday: number, hour: number) =>
  week.hours.find((one) => one.weekday === weekday && one.hour === hour) ?? assert.fail();

test('the mean of each open hour of each weekday, with its n', () => {
  const week = usualUse(hours, outletUses);
  assert.equal(week.hours.length, 7 * 6);
  assert.deepEqual(at(week, 1, 14), { weekday: 1, hour: 14, use: 0.2, n: 16 });
  assert.deepEqual(at(week, 3, 12), { weekday: 3, hour: 12, use: 0.4, n: 16 });
  assert.deepEqual(at(week, 6, 17), { weekday: 6, hour: 17, use: 0.7, n: 16 });
  assert.deepEqual([week.first, week.last], [start + 12 * HOUR, end - 6 * HOUR]);
});

test('a closed outlet is not averaged as empty: neither outside its hours nor on a day on which it did not open', () => {
  const day = start + 7 * DAY;
  const shut = (slot: number) => slot >= day && slot < day + DAY;
  const whole = new Map(outletUses.map(({ slot, activity }) => [slot, activity]));
  const counted = pocketQuarters.map(({ slot }) => ({
    slot,
    activity: shut(slot) ? 0 : (whole.get(slot) ?? 0),
  }));
  const week = usualUse(hours, counted);
  assert.deepEqual(at(week, 0, 12), { weekday: 0, hour: 12, use: 0.5, n: 12 });
  assert.deepEqual(at(week, 1, 12), { weekday: 1, hour: 12, use: 0.5, n: 16 });
  // An empty quarter hour of a day on which it was open counts.
  const empty = counted.map((use) => (use.slot === start + 12 * HOUR ? { ...use, activity: 0 } : use));
  assert.equal(at(usualUse(hours, empty), 0, 12).use, 0.46);
});

test('fewer than five counts are not shown, and no history is no zero', () => {
  const [first] = outletUses;
  assert.ok(first);
  const four = [0, 1, 2, 3].map((n) => ({ slot: first.slot + n * SLOT, activity: 0.5 }));
  assert.deepEqual(at(usualUse(hours, four), 0, 12), { weekday: 0, hour: 12, use: null, n: 4 });
  const none = usualUse(hours, []);
  assert.deepEqual([none.first, none.last], [null, null]);
  assert.ok(none.hours.every(({ use, n }) => use === null && n === 0));
});

test('hours after midnight belong to the day on which it opened', () => {
  const bar = { opens_at: '22:30', closes_at: '01:15' };
  const uses = pocketQuarters.map(({ slot }) => ({
    slot,
    activity: singapore.hourOfDay(slot) < 2 ? 0.8 : 0.2,
  }));
  const week = usualUse(bar, uses);
  assert.deepEqual([...new Set(week.hours.map(({ hour }) => hour))], [22, 23, 24, 25]);
  assert.deepEqual(at(week, 0, 22), { weekday: 0, hour: 22, use: 0.2, n: 8 });
  assert.deepEqual(at(week, 0, 25), { weekday: 0, hour: 25, use: null, n: 4 });
  assert.deepEqual(at(week, 0, 24), { weekday: 0, hour: 24, use: 0.8, n: 16 });
});
