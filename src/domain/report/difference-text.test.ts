import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cause } from './difference.ts';
import { causeText } from './difference-text.ts';

const cause = (signal: Cause['signal'], value: number, reference: number): Cause => ({
  signal,
  value,
  reference,
  effect: 0.1,
});

test('the crowd against other days, and against other pockets', () => {
  const table: [value: number, words: string][] = [
    [1.2, 'several times as many people as on other mondays'],
    [0.72, 'about twice as many people as on other mondays'],
    [0.5, 'more people than on other mondays'],
    [0.4, 'about as many people as on other mondays'],
    [0.3, 'fewer people than on other mondays'],
    [0.2, 'about half as many people as on other mondays'],
    [0.1, 'less than half as many people as on other mondays'],
  ];
  for (const [value, words] of table)
    assert.equal(causeText(cause('footfall', value, 0.4), 'on other mondays'), `with ${words}`);
  assert.equal(causeText(cause('footfall', 0.8, 0.4), null), 'with about twice as many people for its size');
  assert.match(causeText(cause('footfall', 0.1, 0), 'on other mondays'), /^with several times/);
});

test('other measurements by their direction', () => {
  const table: [cause: Cause, words: string][] = [
    [cause('rain_mm', 1.2, 0), 'more rain'],
    [cause('temperature_c', 29, 31), 'cooler air'],
    [cause('pm25', 60, 20), 'hazier air'],
    [cause('traffic_speed_kmh', 20, 30), 'slower traffic'],
    [cause('carpark_occupancy', 0.9, 0.5), 'fuller car parks'],
  ];
  for (const [given, words] of table) assert.equal(causeText(given, null), `mainly through ${words}`);
});
