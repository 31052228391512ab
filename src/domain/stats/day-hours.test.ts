import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR } from '../time/slot.ts';
import { localZone, singapore } from '../time/zones.fixture.ts';
import { calmRuns, hourMeans, hoursOfDay } from './day-hours.ts';

const at = (time: string) => Date.parse(time);

describe('the hours of a day', () => {
  test('are those that the clock shows', () => {
    const hours = hoursOfDay(at('2026-11-11T12:34:00+08:00'), singapore);
    assert.equal(hours.length, 24);
    assert.deepEqual(hours[0], { from: at('2026-11-11T00:00+08:00'), to: at('2026-11-11T01:00+08:00') });
    assert.deepEqual(hours[23]?.to, at('2026-11-12T00:00+08:00'));
  });

  test('where clocks change, one hour is empty or lasts two', () => {
    const berlin = localZone('Europe/Berlin');
    const lengths = (day: string) => hoursOfDay(at(day), berlin).map(({ from, to }) => (to - from) / HOUR);
    assert.deepEqual(lengths('2026-03-29T12:00Z').slice(1, 4), [1, 0, 1]);
    assert.deepEqual(lengths('2026-10-25T12:00Z').slice(1, 4), [1, 2, 1]);
  });
});

test('calm hours are joined; an unknown hour parts them', () => {
  const hours = [0.6, 0.55, 0.549, null, 0.7, 0.7].map((calm, n) => ({ from: n, to: n + 1, calm }));
  assert.deepEqual(calmRuns(hours, 0.55), [
    { from: 0, to: 2 },
    { from: 4, to: 6 },
  ]);
  // An hour that clocks skip does not part its neighbours.
  const skipped = [
    { from: 0, to: 1, calm: 0.6 },
    { from: 1, to: 1, calm: null },
    { from: 1, to: 2, calm: 0.6 },
  ];
  assert.deepEqual(calmRuns(skipped, 0.55), [{ from: 0, to: 2 }]);
});

describe('the mean calm of each hour', () => {
  const read = (time: string, calm: number) => ({ slot: at(time), calm });

  test('of those that were read, with the number of readings', () => {
    const readings = [
      read('2026-11-11T08:45+08:00', 0.5),
      read('2026-11-11T10:00+08:00', 0.6),
      read('2026-11-11T10:15+08:00', 0.6),
      read('2026-11-11T10:45+08:00', 0.7),
    ];
    assert.deepEqual(hourMeans(readings, singapore), [
      { hour: 8, calm: 0.5, readings: 1 },
      { hour: 10, calm: 0.633, readings: 3 },
    ]);
    assert.deepEqual(hourMeans([], singapore), []);
  });

  test('an hour that clocks show twice is one', () => {
    const readings = [
      read('2026-10-25T00:30Z', 0.4),
      read('2026-10-25T01:30Z', 0.6),
      read('2026-10-25T02:30Z', 0.7),
    ];
    assert.deepEqual(hourMeans(readings, localZone('Europe/Berlin')), [
      { hour: 2, calm: 0.5, readings: 2 },
      { hour: 3, calm: 0.7, readings: 1 },
    ]);
  });
});
