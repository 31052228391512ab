import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  bestWindow,
  firstUsuallyCalm,
  forecastFor,
  laterHours,
  nextHour,
  type VisitAdvice,
  visitAdvice,
} from './calm-window.ts';

const NOON = Date.parse('2026-11-11T04:00:00Z');
const forecast = (hours: number, calm_probability: number) => ({ at: NOON + hours * HOUR, calm_probability });

test('the best window has the highest probability, the nearest of equal ones', () => {
  assert.equal(bestWindow([]), null);
  const [one, two, three] = [forecast(1, 0.6), forecast(2, 0.8), forecast(3, 0.8)];
  assert.equal(bestWindow([one, two, three]), two);
  assert.equal(bestWindow([three, two, one]), two);
});

test('advice: go now where calm is likely, else at the best forecast, else not soon', () => {
  const table: [now: number | null, best: number | null, advice: VisitAdvice][] = [
    [0.5, 0.9, 'now'],
    [0.499, 0.5, 'later'],
    [0.499, 0.499, 'not_soon'],
    [0.2, null, 'not_soon'],
    [null, 0.9, 'unknown'],
  ];
  for (const [now, best, advice] of table)
    assert.equal(visitAdvice(now, best === null ? null : forecast(1, best)), advice);
});

test('later hours are full hours of waking time, after the last forecast', () => {
  const clocks = laterHours(NOON + 3 * HOUR, singapore).map(singapore.clockOf);
  assert.deepEqual(
    [clocks[0], clocks[6], clocks[7], clocks.at(-1), clocks.length],
    ['16:00', '22:00', '07:00', '09:00', 10],
  );
  assert.equal(laterHours(NOON + 5 * MINUTE, singapore)[0], NOON + HOUR);
});

test('the first usually calm hour has the level at which a calm state begins', () => {
  const hours = [0.2, 0.549, 0.55, 0.9].map((calm_level) => ({ calm_level }));
  assert.equal(firstUsuallyCalm(hours), hours[2]);
  assert.equal(firstUsuallyCalm(hours.slice(0, 2)), null);
});

test('an hour of the clock is today’s while it is ahead, else tomorrow’s', () => {
  assert.equal(nextHour(NOON, 13, singapore), NOON + HOUR);
  assert.equal(nextHour(NOON, 12, singapore), NOON + 24 * HOUR);
  assert.equal(nextHour(NOON + MINUTE, 0, singapore), NOON + 12 * HOUR);
});

test('a forecast stands for an hour within half an hour of it', () => {
  const ahead = [60, 120, 180].map((minutes) => ({ at: NOON + minutes * MINUTE, calm_probability: 0.5 }));
  assert.equal(forecastFor(ahead, NOON + HOUR), ahead[0]);
  assert.equal(forecastFor(ahead, NOON + 3.5 * HOUR), ahead[2]);
  assert.equal(forecastFor(ahead, NOON + 3.6 * HOUR), null);
});
