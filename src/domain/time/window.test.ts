import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from './sgt.ts';
import { lastHours, type WindowName, windowOf } from './window.ts';

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
  for (const [name, long] of table) assert.deepEqual(windowOf(name, now), { after: now - long, until: now });
});

test('fractions of an hour give whole milliseconds, as the store needs', () => {
  assert.deepEqual(lastHours(1.5, now), { after: now - 1.5 * HOUR, until: now });
  assert.ok(Number.isInteger(lastHours(1.0000001, now).after));
});
