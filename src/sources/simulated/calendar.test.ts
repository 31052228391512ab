import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { calendarSlotAt, dayNumbers, monsoon, schoolIsOut } from './calendar.ts';
import { singaporeTime } from './tiny-city.fixture.ts';

const holidays = dayNumbers(['2026-05-01', '2026-05-27']);
const outing = (local: string) => calendarSlotAt(singaporeTime(local), holidays, singapore).outing;

test('a night out belongs to the day on which it began', () => {
  const night = outing('2026-06-06T01:30:00');
  assert.deepEqual([night.weekday, night.hour, night.kind, night.late], [4, 25.5, 'weekday', true]);
  assert.equal(outing('2026-06-06T04:00:00').kind, 'saturday');
  assert.equal(outing('2026-06-07T12:00:00').kind, 'sunday');
});

test('a public holiday counts as a Sunday, and the night before as late', () => {
  assert.equal(outing('2026-05-27T12:00:00').kind, 'sunday');
  assert.deepEqual(
    [outing('2026-05-26T22:00:00').kind, outing('2026-05-26T22:00:00').late],
    ['weekday', true],
  );
  assert.equal(outing('2026-05-27T22:00:00').late, false);
  assert.equal(outing('2026-05-25T22:00:00').late, false);
});

test('the clock is that of Singapore', () => {
  const calendar = calendarSlotAt(singaporeTime('2026-03-04T18:52:11'), holidays, singapore);
  assert.equal(calendar.hour, 18.75);
  assert.equal(calendar.slot, singaporeTime('2026-03-04T18:45:00'));
  assert.equal(calendar.quarter, calendar.day * 96 + 75);
  assert.equal(new Date(calendar.day * 86_400_000).toISOString().slice(0, 10), '2026-03-04');
});

test('the monsoon and the school holidays come in their months', () => {
  const day = (date: string) => calendarSlotAt(singaporeTime(`${date}T12:00:00`), holidays, singapore).day;
  assert.ok(monsoon(day('2025-12-15')) > 0.95);
  assert.ok(monsoon(day('2026-01-05')) > 0.5);
  assert.ok(monsoon(day('2026-07-01')) < 0.01);
  assert.deepEqual(['2026-06-10', '2026-12-20', '2026-04-20'].map(day).map(schoolIsOut), [true, true, false]);
});
