import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSleepHour } from '../decision/moment.ts';
import { DAY, HOUR, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { otherHours, sumHours, wakingBuckets } from './hour-buckets.ts';

const monday = Date.parse('2026-11-02T00:00:00+08:00');
const at = (hours: number, ...calms: number[]) =>
  calms.map((calm, n) => ({ slot: monday + hours * HOUR + n * SLOT, calm }));

test('mean and deviation of each waking hour, in the order of the week', () => {
  const readings = [
    ...at(33, 0.4, 0.6),
    ...at(9, 0.5, 0.5, 0.5),
    ...at(6, 0.9),
    ...at(23, 0.9),
    // A week later: the same hour of the week.
    ...at(7 * 24 + 33, 0.4, 0.6),
  ];
  assert.deepEqual(wakingBuckets(sumHours(readings, singapore)), [
    { day: 'monday', hour: 9, readings: 3, calm: 0.5, deviation: 0, cut_off: false },
    { day: 'tuesday', hour: 9, readings: 4, calm: 0.5, deviation: 0.1, cut_off: false },
  ]);
  assert.deepEqual(wakingBuckets([]), []);
});

test('hours for sleep are left out', () => {
  const week = Array.from({ length: 168 }, (_, hour) => at(hour, 0.5)).flat();
  const awake = week.filter(({ slot }) => !isSleepHour(singapore.hourOfDay(slot)));
  assert.equal(wakingBuckets(sumHours(week, singapore)).length, awake.length);
  assert.deepEqual(wakingBuckets(sumHours(week, singapore)), wakingBuckets(sumHours(awake, singapore)));
});

test('the order and grouping of readings does not change the figures', () => {
  const calm = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
  fc.assert(
    fc.property(fc.array(calm, { minLength: 1, maxLength: 40 }), (calms) => {
      const readings = calms.map((value, n) => ({ slot: monday + 9 * HOUR + n * 7 * DAY, calm: value }));
      const [bucket] = wakingBuckets(sumHours(readings, singapore));
      const mean = calms.reduce((sum, x) => sum + x, 0) / calms.length;
      const deviation = Math.sqrt(calms.reduce((sum, x) => sum + (x - mean) ** 2, 0) / calms.length);
      assert.ok(Math.abs((bucket?.calm ?? 9) - mean) <= 0.000501);
      assert.ok(Math.abs((bucket?.deviation ?? 9) - deviation) <= 0.000501);
      assert.deepEqual(wakingBuckets(sumHours(readings.toReversed(), singapore)), [bucket]);
    }),
  );
});

test('an hour is cut off by a reading within 0.05 of either end', () => {
  const isCutOff = (...calms: number[]) => wakingBuckets(sumHours(at(9, ...calms), singapore))[0]?.cut_off;
  assert.deepEqual([isCutOff(0.5, 0.05), isCutOff(0.5, 0.95), isCutOff(0, 0)], [true, true, true]);
  assert.deepEqual([isCutOff(0.051, 0.949), isCutOff(0.5)], [false, false]);
});

test('the same hour in the other pockets, without the own', () => {
  const pockets = [
    wakingBuckets(sumHours(at(9, 0.4, 0.6), singapore)),
    wakingBuckets(sumHours(at(9, 0.6, 0.64), singapore)),
    wakingBuckets(sumHours(at(9, 1, 1), singapore)),
    wakingBuckets(sumHours(at(10, 0.3, 0.3), singapore)),
  ];
  const othersIn = otherHours(pockets);
  const found = pockets.flatMap((buckets) => buckets.map(othersIn));
  assert.deepEqual(found, [
    { calm: 0.81, deviation: 0.02 },
    { calm: 0.75, deviation: 0.1 },
    // The third is cut off itself, so that both others count.
    { calm: 0.56, deviation: 0.06 },
    null,
  ]);
});
