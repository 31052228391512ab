import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { count, ofN, percent, percentagePoints, plural, scalar, shareOfN, spacedName } from './format.ts';
import { clockTime, dateTime, formatDate } from './times.ts';

test('numbers are formatted for reading; an unknown value is not shown as zero', () => {
  assert.deepEqual([scalar(0.5), scalar(0), scalar(null)], ['0.50', '0.00', 'not known']);
  assert.deepEqual([percent(0.8725), percent(null)], ['87.3%', 'not known']);
  assert.deepEqual(
    [count(36118), ofN(36118), plural(1, 'hour'), plural(2, 'hour')],
    ['36,118', 'n = 36,118', '1 hour', '2 hours'],
  );
  assert.deepEqual(
    [percentagePoints(0.196), percentagePoints(-0.2634), percentagePoints(null)],
    ['+19.6', '−26.3', 'not known'],
  );
  assert.equal(spacedName('why_this_place'), 'why this place');
});

test('a share of fewer than five samples is not shown', () => {
  assert.deepEqual(
    [4, 5].map((n) => shareOfN(0.5, n)),
    ['too few to say', '50.0%'],
  );
});

test('a time is shown in Singapore time, with the exact time on hover', () => {
  const moment = '2026-11-10T16:05:00.000Z';
  assert.equal(
    dateTime(moment, singapore).markup,
    `<time datetime="${moment}" title="${moment}">11 nov 2026, 00:05 SGT</time>`,
  );
  assert.match(clockTime(moment, singapore).markup, />00:05 SGT</);
  assert.equal(formatDate('2026-02-01'), '1 feb 2026');
});
