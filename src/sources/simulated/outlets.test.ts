import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { calendarSlotAt } from './calendar.ts';
import { activityAt, type Habits, outletHabits } from './outlets.ts';
import { mean, outlet, singaporeTime } from './tiny-city.fixture.ts';

const start = singaporeTime('2026-03-02T00:00:00');
const slots = Array.from({ length: 56 * 96 }, (_, n) =>
  calendarSlotAt(start + n * SLOT, new Set(), singapore),
);
const steady = { usual: 0.6, level: 0.6 };
const average = (habits: Habits, isIncluded: (calendar: (typeof slots)[number]) => boolean, felt = 0) =>
  mean(slots.filter(isIncluded).map((calendar) => activityAt(habits, calendar, steady, felt)));
const many = Array.from({ length: 200 }, (_, n) =>
  outletHabits(outlet(n, 'open', 'cafe', ['08:00', '18:00']), 'x'),
);
const cafe = many[1] as Habits;

test('activity is 0 while closed and above 0 while open', () => {
  for (const [hours, isOpen] of [
    [['08:00', '18:00'], (h: number) => h >= 8 && h < 18],
    [['17:30', '02:00'], (h: number) => h >= 17.5 || h < 2],
    [['00:00', '00:00'], () => true],
  ] as [[string, string], (hour: number) => boolean][]) {
    const habits = outletHabits(outlet(1, 'open', 'bar', hours), 'x');
    for (const calendar of slots.slice(0, 7 * 96))
      assert.equal(
        activityAt(habits, calendar, steady, 0) > 0,
        isOpen(calendar.hour),
        `${hours} ${calendar.hour}`,
      );
  }
});

test('the quiet window recurs on its weekdays only', () => {
  const { weekdays, from, to } = cafe.quiet;
  assert.ok(from >= 8 && to <= 18 && to - from >= 1.5);
  const inWindow = (days: (weekday: number) => boolean) =>
    average(cafe, ({ hour, outing }) => hour >= from && hour < to && days(outing.weekday));
  const quiet = inWindow((day) => weekdays.includes(day));
  assert.ok(quiet < 0.6 * inWindow((day) => !weekdays.includes(day)), `${quiet}`);
});

test('outlets differ in the effect of rain and in their busier half of the day', () => {
  const open = ({ hour }: { hour: number }) => hour >= 9 && hour < 17;
  const shaken = many.toSorted((a, b) => a.rainLoss - b.rainLoss);
  const effect = (habits: Habits) => average(habits, open, 1) / average(habits, open, 0);
  assert.ok(effect(shaken[0] as Habits) > 1.1);
  assert.ok(effect(shaken.at(-1) as Habits) < 0.9);
  const leaning = many.toSorted((a, b) => a.lean - b.lean);
  const lateness = (habits: Habits) =>
    average(habits, ({ hour }) => hour >= 14 && hour < 17) /
    average(habits, ({ hour }) => hour >= 9 && hour < 12);
  assert.ok(lateness(leaning.at(-1) as Habits) > 1.5 * lateness(leaning[0] as Habits));
});

test('a larger crowd raises the activity', () => {
  const noon = calendarSlotAt(singaporeTime('2026-03-03T15:30:00'), new Set(), singapore);
  const activity = (level: number) => activityAt(cafe, noon, { usual: 0.5, level }, 0);
  assert.ok(activity(0.2) < activity(0.5) && activity(0.5) < activity(0.8));
});

test('each category has hours of its own', () => {
  const at = (category: 'bar' | 'bakery', from: number) =>
    average(
      outletHabits(outlet(3, 'open', category, ['00:00', '00:00']), 'x'),
      ({ hour }) => hour >= from && hour < from + 2,
    );
  assert.ok(at('bakery', 8) > at('bakery', 21));
  assert.ok(at('bar', 21) > at('bar', 8));
});

test('the shortest opening hours still give a window within them', () => {
  const { quiet, opens, closes } = outletHabits(outlet(4, 'open', 'bar', ['12:00', '12:30']), 'x');
  assert.ok(quiet.from >= opens && quiet.to <= closes);
});
