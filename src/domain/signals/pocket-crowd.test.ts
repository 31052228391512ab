import assert from 'node:assert/strict';
import { test } from 'node:test';
import { round } from '../stats/unit-scale.ts';
import { DAY, HOUR } from '../time/slot.ts';
import { addToPast, type SensorPast } from './crowd.ts';
import { judgeCrowd, type KnownSensors } from './pocket-crowd.ts';
import type { FreshSensor } from './snapshot.ts';

const slot = 30 * DAY;
const sensor = (id: string, value: number, proxy = false): FreshSensor => ({
  ...{ sensor: id, value, kind: proxy ? 'parking/used' : 'people/count', points: 'up', proxy },
});

/** A week in which the value follows the hour of the day. */
function week(of: (hour: number) => number, proxy = false): SensorPast {
  let past: SensorPast | undefined;
  for (let n = 0; n < 168; n += 1)
    past = addToPast(past, slot - (168 - n) * HOUR, n % 24, sensor('any', of(n % 24), proxy)) ?? past;
  assert.ok(past);
  return past;
}
const byDay = (hour: number) => 100 - 8 * Math.abs(hour - 12);
const atNight = (hour: number) => 8 * Math.abs(hour - 12);

const judge = (
  sensors: FreshSensor[],
  {
    closed = [],
    known = {},
    pasts = {},
  }: { closed?: string[]; known?: KnownSensors; pasts?: Record<string, SensorPast> } = {},
) => judgeCrowd(slot, { sensors, closed }, known, (id) => pasts[id]);

test('what keeps a crowd from being known is told apart', () => {
  assert.equal(judge([]).crowd_gap, 'missing');
  assert.equal(judge([], { closed: ['a'] }).crowd_gap, 'closed');
  assert.equal(judge([sensor('a', 5)]).crowd_gap, 'learning');
  const nightly = judge([sensor('a', 5, true)], { pasts: { a: week(atNight, true) } });
  assert.deepEqual([nightly.crowd, nightly.crowd_gap], [null, 'fullest_at_night']);
  const known = judge([sensor('a', 100)], { pasts: { a: week(byDay) } });
  assert.deepEqual([known.crowd, known.crowd_gap], [1, null]);
});

test('a counter of people is believed at night too, and a stand-in that is full then is left out beside others', () => {
  assert.equal(judge([sensor('bar', 96)], { pasts: { bar: week(atNight) } }).crowd, 1);
  const both = judge([sensor('a', 100), sensor('taxis', 96, true)], {
    pasts: { a: week(byDay), taxis: week(atNight, true) },
  });
  assert.equal(both.crowd, 1);
  assert.deepEqual(both.exclusions, [{ sensor: 'taxis', excluded: true }]);
  // Known already: nothing changes. No longer so: it counts again.
  const pasts = { taxis: week(atNight, true) };
  assert.deepEqual(judge([sensor('taxis', 9, true)], { pasts, known: both.known }).exclusions, []);
  const again = judge([sensor('taxis', 9, true)], { pasts: { taxis: week(byDay, true) }, known: both.known });
  assert.deepEqual(again.exclusions, [{ sensor: 'taxis', excluded: false }]);
});

test('the share is of the sensors that are listed or were seen lately, by their weight', () => {
  const counters = {
    a: { proxy: false, seen: slot - HOUR },
    b: { proxy: false, seen: slot - DAY },
    c: { proxy: false, seen: 0 },
  };
  const share = (known: KnownSensors, closed: string[] = []) =>
    round(judge([sensor('a', 5)], { known, closed }).share);
  assert.equal(share(counters), 0.333);
  assert.equal(share({ ...counters, b: { proxy: true, seen: slot - DAY } }), 0.4);
  assert.equal(share(counters, ['b']), 0.5);
  assert.equal(share({ ...counters, b: { proxy: false, seen: slot - 29 * DAY } }), 0.5);
  assert.equal(share({ ...counters, b: { proxy: true, seen: slot, excluded: true } }), 0.5);
});

test('what is remembered of a sensor changes once a day, not at every slot', () => {
  const first = judge([sensor('a', 5)]).known;
  assert.deepEqual(first, { a: { proxy: false, seen: slot } });
  assert.equal(judge([sensor('a', 6)], { known: first }).known, first);
  const old = { a: { proxy: false, seen: slot - DAY } };
  assert.deepEqual(judge([sensor('a', 6)], { known: old }).known, first);
});

test('sensors that never come again are remembered up to a number; those that report or are listed always', () => {
  let known: KnownSensors = { listed: { proxy: false, seen: 0 } };
  for (let n = 0; n < 20; n++) {
    const invented = Array.from({ length: 100 }, (_, i) => sensor(`f/bike ${n}-${i}/n`, 1));
    known = judgeCrowd(
      slot + n * 6 * HOUR,
      { sensors: [sensor('real', 7), ...invented], closed: [] },
      known,
      () => undefined,
    ).known;
  }
  assert.equal(Object.keys(known).length, 1 + 1 + 100 + 500);
  assert.ok(known.listed && known.real && known['f/bike 19-99/n']);
  assert.equal(known['f/bike 0-0/n'], undefined);
});
