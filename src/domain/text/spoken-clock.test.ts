import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singapore } from '../time/zones.fixture.ts';
import { partOfDay, spokenClock, spokenHour } from './spoken-clock.ts';

const at = (clock: string) => Date.parse(`2026-11-11T${clock}:00+08:00`);

test('a clock as people say it, to the nearest quarter hour', () => {
  const table: [clock: string, spoken: string][] = [
    ['17:00', 'five'],
    ['05:00', 'five'],
    ['17:07', 'five'],
    ['17:08', 'quarter past five'],
    ['16:30', 'half past four'],
    ['17:45', 'quarter to six'],
    ['17:53', 'six'],
    ['12:00', 'noon'],
    ['11:45', 'quarter to twelve'],
    ['12:15', 'quarter past twelve'],
    ['12:45', 'quarter to one'],
    ['00:00', 'midnight'],
    ['23:45', 'quarter to twelve'],
    ['23:55', 'midnight'],
    ['00:30', 'half past twelve'],
  ];
  for (const [clock, spoken] of table) assert.equal(spokenClock(at(clock), singapore), spoken, clock);
});

test('an hour as people say it', () => {
  const table: [hour: number, spoken: string][] = [
    [0, 'midnight'],
    [9, 'nine in the morning'],
    [12, 'noon'],
    [13, 'one in the afternoon'],
    [18, 'six in the evening'],
    [22, 'ten in the evening'],
  ];
  for (const [hour, spoken] of table) assert.equal(spokenHour(hour), spoken);
});

test('the part of a day', () => {
  const table: [clock: string, part: string][] = [
    ['04:59', 'night'],
    ['05:00', 'morning'],
    ['11:00', 'midday'],
    ['14:00', 'afternoon'],
    ['18:00', 'evening'],
    ['23:00', 'night'],
    ['00:15', 'night'],
  ];
  for (const [clock, part] of table) assert.equal(partOfDay(at(clock), singapore), part, clock);
});
