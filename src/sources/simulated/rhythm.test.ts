import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { calendarSlotAt, dayNumbers } from './calendar.ts';
import { usualCrowd } from './rhythm.ts';
import { pocket, singaporeTime, tinyCity } from './tiny-city.fixture.ts';

const holidays = dayNumbers(tinyCity().holidays);
const { character } = pocket('x', 1.3, 103.8);
const usual = (local: string) =>
  usualCrowd(character, calendarSlotAt(singaporeTime(local), holidays, singapore).outing);

test('the crowd of an ordinary day changes smoothly', () => {
  const slots = Array.from({ length: 14 * 96 }, (_, n) => singaporeTime('2026-04-06T00:00:00') + n * SLOT);
  const levels = slots.map((slot) => usualCrowd(character, calendarSlotAt(slot, holidays, singapore).outing));
  for (let n = 1; n < levels.length; n++) assert.ok(Math.abs((levels[n] ?? 0) - (levels[n - 1] ?? 0)) < 0.15);
});

test('people stay out later on the night before a day off', () => {
  assert.ok(usual('2026-04-24T23:30:00') > 1.15 * usual('2026-04-22T23:30:00'));
  assert.ok(usual('2026-04-30T23:30:00') > 1.15 * usual('2026-04-29T23:30:00'));
});

test('Sunday mornings start later', () => {
  assert.ok(usual('2026-04-26T08:00:00') < 0.8 * usual('2026-04-22T08:00:00'));
});
