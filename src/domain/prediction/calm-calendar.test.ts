import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR, MINUTE } from '../time/slot.ts';
import { timeZone } from '../time/zone.ts';
import { singapore } from '../time/zones.fixture.ts';
import { forecastWindows, usualWindows, wakingHoursFrom } from './calm-calendar.ts';

const noon = Date.UTC(2026, 10, 11, 4);

describe('windows of the sealed forecasts', () => {
  const table: [
    probabilities: number[],
    windows: [fromMinutes: number, toMinutes: number, best: number][],
  ][] = [
    [[], []],
    [[0.49, 0.2, 0.1], []],
    [[0.5, 0.2, 0.1], [[30, 90, 0.5]]],
    [[0.6, 0.8, 0.7], [[30, 210, 0.8]]],
    [
      [0.6, 0.3, 0.7],
      [
        [30, 90, 0.6],
        [150, 210, 0.7],
      ],
    ],
  ];
  for (const [probabilities, expected] of table)
    test(JSON.stringify(probabilities), () => {
      const ahead = probabilities.map((calm_probability, n) => ({
        at: noon + (n + 1) * HOUR,
        calm_probability,
      }));
      assert.deepEqual(
        forecastWindows(ahead).map(({ start, end, best }) => [
          (start - noon) / MINUTE,
          (end - noon) / MINUTE,
          best.calm_probability,
        ]),
        expected,
      );
    });
});

describe('windows of usual hours', () => {
  test('join neighbouring hours from the level of a calm state on', () => {
    const levels = [0.549, 0.55, 0.7, null, 0.6];
    assert.deepEqual(usualWindows(levels.map((usual_calm, n) => ({ at: noon + n * HOUR, usual_calm }))), [
      { basis: 'usual', start: noon + HOUR, end: noon + 3 * HOUR, low: 0.55, high: 0.7 },
      { basis: 'usual', start: noon + 4 * HOUR, end: noon + 5 * HOUR, low: 0.6, high: 0.6 },
    ]);
  });

  test('the hours looked at are the full waking hours of a week', () => {
    const hours = wakingHoursFrom(noon + 20 * MINUTE, singapore);
    assert.equal(hours[0], noon + HOUR);
    assert.equal(hours.length, 7 * 16);
    for (const at of hours) {
      const hour = singapore.hourOfDay(at);
      assert.ok(Number.isInteger(hour) && hour >= 7 && hour < 23);
    }
  });

  test('an hour that clocks skip or repeat is looked at once', () => {
    const berlin = timeZone('Europe/Berlin');
    for (const from of [Date.UTC(2026, 2, 27, 12), Date.UTC(2026, 9, 23, 12)]) {
      const hours = wakingHoursFrom(from, berlin);
      assert.deepEqual(
        hours,
        [...new Set(hours)].sort((a, b) => a - b),
      );
      for (const at of hours) assert.ok(berlin.hourOfDay(at) % 1 === 0);
    }
  });
});
