import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../time/slot.ts';
import { hasHeardEnough, recentLines } from './said-time.ts';

const now = Date.parse('2026-11-11T15:00:00+08:00');
const line = (daysAgo: number, hours: number) => ({
  from: now - daysAgo * DAY,
  to: now - daysAgo * DAY + hours * HOUR,
});

test('lines of two weeks, with the next one, are at most 14 % of the waking time', () => {
  const ends = now + 1.5 * HOUR;
  const table: [lines: ReturnType<typeof line>[], enough: boolean][] = [
    [[], false],
    [[line(10, 29.8)], false],
    [[line(10, 30)], true],
    [[line(15, 30)], false],
    [[line(14.5, 30)], false],
    [Array.from({ length: 13 }, (_, n) => line(n + 1, 2.25)), false],
    [Array.from({ length: 13 }, (_, n) => line(n + 1, 2.5)), true],
  ];
  for (const [lines, enough] of table)
    assert.equal(hasHeardEnough(lines, now, ends), enough, JSON.stringify(lines));
});

test('what ended before the two weeks is forgotten', () => {
  const [old, kept] = [line(15, 2), line(13, 2)];
  assert.deepEqual(recentLines([old, kept], now), [kept]);
});
