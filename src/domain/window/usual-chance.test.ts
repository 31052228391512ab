import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singapore } from '../time/zones.fixture.ts';
import {
  type UsualHour,
  usualAtFrom,
  usualChances,
  usualHourOfWeek,
  usualWindow,
  usualWindows,
} from './usual-chance.ts';
import { noWindows } from './window-record.ts';

const calendar = { zone: singapore, weekend: [5, 6], holidays: ['2026-11-12', '2026-11-14'] };
const at = (local: string) => Date.parse(`2026-11-${local}:00+08:00`);

test('a holiday within the working week is like that hour of the last day of the weekend', () => {
  const table: [local: string, day: number, hour: number][] = [
    ['11T15:00', 2, 15],
    ['12T15:00', 6, 15],
    ['14T09:30', 5, 9],
    ['15T09:00', 6, 9],
  ];
  for (const [local, day, hour] of table)
    assert.equal(usualHourOfWeek(at(local), calendar), 24 * day + hour, local);
});

test('what is usual is known after two weeks of readings', () => {
  const norm = { mean: 0.61234, calm_share: 0.87549 };
  const usualAt = usualAtFrom(
    new Map([
      [24 * 2 + 15, { ...norm, samples: 8 }],
      [24 * 2 + 16, { ...norm, samples: 7 }],
    ]),
    calendar,
  );
  assert.deepEqual(usualAt(at('11T15:45')), { chance: 0.875, calm_level: 0.612, n: 8 });
  assert.equal(usualAt(at('11T16:00')), null);
  assert.equal(usualAt(at('11T17:00')), null);
});

/** Chances by the hour of the day; the others are not known. */
const byHour =
  (chances: Record<number, number>) =>
  (time: number): UsualHour | null => {
    const chance = chances[Math.floor(singapore.hourOfDay(time))];
    return chance === undefined ? null : { chance, calm_level: chance, n: 32 };
  };

test('a window has the lowest chance of its hours, and ends where such windows did not hold', () => {
  const usualAt = byHour({ 9: 1, 10: 0.95, 11: 0.9, 12: 0.6, 13: 0.69 });
  assert.deepEqual(usualChances(at('11T09:00'), usualAt), [1, 0.95, 0.9, 0.6]);
  assert.deepEqual(usualChances(at('11T13:00'), usualAt), [], 'calm is not likely');
  assert.deepEqual(usualChances(at('11T11:00'), byHour({ 11: 0.8 })), [0.8], 'the next hour is not known');
  assert.deepEqual(usualWindow(at('11T09:00'), usualAt, noWindows), {
    basis: 'usual',
    starts_at: at('11T09:00'),
    ends_at: at('11T12:00'),
    calm_probability: 1,
    held_share: 0.89,
  });
  assert.equal(usualWindow(at('11T12:00'), usualAt, noWindows), null);
});

test('windows follow one another from the first waking hour on, and their ends stay as the hours pass', () => {
  const always = byHour(Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [hour, 1])));
  const windows = (from: string) =>
    Array.from(
      usualWindows(at(from), at('12T09:00'), always, noWindows, calendar),
      ({ starts_at, ends_at }) => `${singapore.localClock(starts_at)} ${singapore.localClock(ends_at)}`,
    );
  assert.deepEqual(windows('11T15:20'), ['16:00 19:00', '19:00 23:00', '07:00 11:00']);
  assert.deepEqual(windows('11T17:00'), ['17:00 19:00', '19:00 23:00', '07:00 11:00']);
  assert.deepEqual(windows('11T18:10'), ['19:00 23:00', '07:00 11:00'], 'less than an hour is none');
  assert.deepEqual(windows('12T01:00'), ['07:00 11:00']);
});
