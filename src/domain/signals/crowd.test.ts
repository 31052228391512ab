import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addToPast,
  combineSensorLevels,
  isFullestAtNight,
  type SensorPast,
  type SensorValue,
  sensorLevel,
} from './crowd.ts';

const HOUR = 3_600_000;
const counter = (value: number): SensorValue => ({ value, kind: 'bikes', points: 'up', proxy: false });
const garage = (value: number, range?: SensorValue['range']): SensorValue => ({
  ...{ value, kind: 'parking', points: 'down', proxy: true },
  ...(range && { range }),
});

/** `hours` values, one an hour from midnight on; `of` gives the value of an hour of the day. */
function past(hours: number, of: (hour: number) => number, like: (value: number) => SensorValue): SensorPast {
  let known: SensorPast | undefined;
  for (let n = 0; n < hours; n += 1) known = addToPast(known, n * HOUR, n % 24, like(of(n % 24))) ?? known;
  assert.ok(known);
  return known;
}

/** From 0 at midnight to 100 at noon and back. */
const daytime = (hour: number) => 100 - Math.abs(hour - 12) * (100 / 12);

test('a counter is judged by its own range over all hours', () => {
  const week = past(168, daytime, counter);
  const at = 168 * HOUR;
  assert.equal(sensorLevel(counter(0), week, at), 0);
  assert.equal(sensorLevel(counter(500), week, at), 1);
  const middle = sensorLevel(counter(50), week, at);
  assert.ok(middle !== null && middle > 0.4 && middle < 0.6);
});

test('free places fall as it gets busier', () => {
  const week = past(168, (hour) => 300 - 3 * daytime(hour), garage);
  const at = 168 * HOUR;
  assert.equal(sensorLevel(garage(300), week, at), 0);
  assert.equal(sensorLevel(garage(0), week, at), 1);
});

test('without stated ends a range is learned for 72 hours, with one for a day, with both not at all', () => {
  const of = (hours: number, range?: SensorValue['range']) =>
    sensorLevel(
      garage(150, range),
      past(hours, (hour) => 300 - 3 * daytime(hour), garage),
      hours * HOUR,
    );
  assert.deepEqual([of(71), of(72) !== null], [null, true]);
  assert.deepEqual([of(23, { low: 0 }), of(24, { low: 0 }) !== null], [null, true]);
  assert.equal(sensorLevel(garage(75, { low: 0, high: 300 }), undefined, 0), 0.75);
});

test('a sensor that misses hours has its range after 72 hours all the same, one that hardly ever reports has not', () => {
  let half: SensorPast | undefined;
  let rare: SensorPast | undefined;
  for (let n = 0; n <= 72; n += 1) {
    if (n % 2 === 0) half = addToPast(half, n * HOUR, n % 24, counter(n)) ?? half;
    if (n % 8 === 0) rare = addToPast(rare, n * HOUR, n % 24, counter(n)) ?? rare;
  }
  assert.notEqual(sensorLevel(counter(10), half, 72 * HOUR), null);
  assert.equal(sensorLevel(counter(10), rare, 72 * HOUR), null);
});

test('a sensor that always says the same tells nothing', () => {
  assert.equal(
    sensorLevel(
      counter(0),
      past(200, () => 0, counter),
      200 * HOUR,
    ),
    null,
  );
  assert.equal(
    sensorLevel(
      garage(0),
      past(200, () => 150, garage),
      200 * HOUR,
    ),
    null,
  );
});

test('a place that is full every Saturday is as full on the last as on the first', () => {
  const ordinary = past(504, (hour) => 300 - 2 * daytime(hour), garage);
  let saturdays: SensorPast = ordinary;
  for (let n = 504; n < 504 + 3 * 168; n += 1) {
    const full = Math.floor(n / 24) % 7 === 5 && n % 24 >= 11 && n % 24 < 18;
    saturdays =
      addToPast(saturdays, n * HOUR, n % 24, garage(full ? 0 : 300 - 2 * daytime(n % 24))) ?? saturdays;
  }
  const level = (known: SensorPast) => sensorLevel(garage(0, { low: 0 }), known, 2000 * HOUR);
  assert.deepEqual([level(ordinary), level(saturdays)], [1, 1]);
  // On ordinary days it was never full, and it is no fuller for the Saturdays.
  const noon = (known: SensorPast) => sensorLevel(garage(100, { low: 0 }), known, 2000 * HOUR) ?? 0;
  assert.ok(noon(saturdays) <= noon(ordinary) + 0.01);
});

test('a stand-in that is as full at night as by day is told from one that follows people', () => {
  const residents = (hour: number) => daytime(hour) * 2;
  assert.equal(isFullestAtNight(past(72, residents, garage)), true);
  assert.equal(isFullestAtNight(past(72, (hour) => 300 - residents(hour), garage)), false);
  assert.equal(isFullestAtNight(past(72, () => 100, garage)), false);
  // Two peaks, at five in the morning and at noon: no emptier at night than by day.
  const twoPeaks = (hour: number) =>
    100 - 8 * Math.min(Math.abs(hour - 4), Math.abs(hour - 12), Math.abs(hour - 20));
  assert.equal(isFullestAtNight(past(72, (hour) => -twoPeaks(hour), garage)), true);
  // One night tells nothing.
  assert.equal(isFullestAtNight(past(24, residents, garage)), false);
  assert.equal(isFullestAtNight(undefined), false);
});

test('counters weigh twice as much as stand-ins, and unknown levels nothing', () => {
  const people = { kind: 'people', proxy: false };
  const parking = { kind: 'parking', proxy: true };
  assert.equal(combineSensorLevels([]), null);
  assert.equal(combineSensorLevels([{ level: null, ...people }]), null);
  assert.equal(
    combineSensorLevels([
      { level: 0.9, ...people },
      { level: 0.3, ...parking },
      { level: null, ...parking },
    ]),
    0.7,
  );
});

test('of the kinds of stand-ins the fullest counts: few bikes do not average a full garage away', () => {
  const kind = (name: string, ...levels: number[]) =>
    levels.map((level) => ({ level, kind: name, proxy: true }));
  assert.equal(combineSensorLevels([...kind('parking', 1, 0.9), ...kind('bikes', 0.2, 0.1, 0.3)]), 0.95);
  assert.equal(combineSensorLevels([...kind('parking', 0.1), ...kind('bikes', 0.8, 0.6)]), 0.7);
});

test('the crowd is between the least and the greatest level', () => {
  const level = fc.record({
    level: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.constantFrom('a', 'b'),
    proxy: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(level, { minLength: 1 }), (levels) => {
      const crowd = combineSensorLevels(levels) ?? -1;
      const all = levels.map((one) => one.level);
      assert.ok(crowd >= Math.min(...all) - 0.001 && crowd <= Math.max(...all) + 0.001);
    }),
  );
});
