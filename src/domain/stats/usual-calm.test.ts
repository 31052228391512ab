import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR } from '../time/slot.ts';
import { localZone, singapore } from '../time/zones.fixture.ts';
import { compareWithUsual, hoursOfDay, sameHourBefore, usualCalm, usuallyCalm } from './usual-calm.ts';

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

test('the same hour of the weeks before keeps the weekday and the clock, also over a change of clocks', () => {
  const berlin = localZone('Europe/Berlin');
  const spans = sameHourBefore(at('2026-10-28T10:00Z'), 15, berlin);
  assert.equal(spans.length, 8);
  for (const { from, to } of spans) {
    assert.deepEqual([berlin.weekday(from), berlin.clockOf(from), berlin.clockOf(to)], [2, '15:00', '16:00']);
  }
});

test('the usual is the mean of all readings, from two weeks on', () => {
  const table = [
    [[], { calm: null, weeks: 0 }],
    [[[4, 20_000]], { calm: null, weeks: 1 }],
    [
      [
        [4, 20_000],
        [0, 0],
        [4, 28_000],
      ],
      { calm: 0.6, weeks: 2 },
    ],
    // One reading against four.
    [
      [
        [4, 20_000],
        [1, 10_000],
      ],
      { calm: 0.6, weeks: 2 },
    ],
  ] as const;
  for (const [hours, usual] of table)
    assert.deepEqual(usualCalm(hours.map(([readings, calm]) => ({ readings, calm }))), usual);
});

test('a reading against the usual', () => {
  const table = [
    [0.62, 0.5, 0.12, 'calmer'],
    [0.549, 0.5, 0.049, 'as_usual'],
    [0.55, 0.5, 0.05, 'calmer'],
    [0.45, 0.5, -0.05, 'less_calm'],
    [0.5, 0.5, 0, 'as_usual'],
  ] as const;
  for (const [calm, usual, difference, compared] of table)
    assert.deepEqual(compareWithUsual(calm, usual), { difference, compared });
});

test('hours that are usually calm are joined; an unknown hour parts them', () => {
  const hours = [0.6, 0.55, 0.549, null, 0.7, 0.7].map((calm, n) => ({ from: n, to: n + 1, calm }));
  assert.deepEqual(usuallyCalm(hours, 0.55), [
    { from: 0, to: 2 },
    { from: 4, to: 6 },
  ]);
  // An hour that clocks skip does not part its neighbours.
  const skipped = [
    { from: 0, to: 1, calm: 0.6 },
    { from: 1, to: 1, calm: null },
    { from: 1, to: 2, calm: 0.6 },
  ];
  assert.deepEqual(usuallyCalm(skipped, 0.55), [{ from: 0, to: 2 }]);
});
