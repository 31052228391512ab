import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singapore } from '../time/zones.fixture.ts';
import { holidaysIn } from './rest-day.ts';

const at = (date: string) => Date.parse(`${date}T00:00:00+08:00`);
const calendar = {
  holidays: ['2026-11-16', '2026-11-08', '2026-11-09', '2026-11-11'],
  holidayNames: {
    '2026-11-08': 'Deepavali',
    '2026-11-09': 'Deepavali, day in lieu',
    '2026-11-11': 'Market Day',
  },
};

test('the holidays of a span are those of its days, in order, by their names', () => {
  const week = { from: at('2026-11-09'), to: at('2026-11-16') };
  assert.deepEqual(holidaysIn(week, calendar, singapore), [
    { date: '2026-11-09', day: 'monday', name: 'Deepavali, day in lieu' },
    { date: '2026-11-11', day: 'wednesday', name: 'Market Day' },
  ]);
  assert.deepEqual(holidaysIn({ from: week.from, to: week.from }, calendar, singapore), []);
});
