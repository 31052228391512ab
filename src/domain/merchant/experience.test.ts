import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../time/slot.ts';
import { localZone, singapore } from '../time/zones.fixture.ts';
import { minutesLeft, nextWindow } from './experience.ts';

const { hourOfDay } = singapore;

const noon = Date.parse('2026-11-11T12:00:00+08:00');

test('minutes left are whole, and one is left until the window ends', () => {
  const table: [ms: number, minutes: number][] = [
    [HOUR, 60],
    [59 * MINUTE + 1, 60],
    [1, 1],
    [0, 0],
    [-1, 0],
  ];
  for (const [ms, minutes] of table) assert.equal(minutesLeft(noon + ms, noon), minutes);
});

test('the next window: committed, usual or unknown', () => {
  const ago = (days: number, hours = 0) => noon - days * DAY + hours * HOUR;
  const table: [starts: number[], next: number | null, why: string][] = [
    [[], null, 'nothing is known'],
    [[ago(1, 3.25)], null, 'one day is no habit'],
    [[ago(1, 3.25), ago(1, 3.75)], null, 'twice on one day is one day'],
    [[ago(1, 3.25), ago(5, 3.75)], noon + 3 * HOUR, 'two days, the same hour'],
    [[ago(1, -2), ago(2, -2)], noon + 22 * HOUR, 'an hour that is over today comes tomorrow'],
    [[ago(1, 0.5), ago(2, 0.5)], noon + DAY, 'the hour that runs has begun already'],
    [[ago(1, 3), ago(2, 3), ago(3, 1), ago(4, 1)], noon + HOUR, 'the first that comes'],
    [[ago(1, 3), ago(29, 3)], null, 'what is older than four weeks does not count'],
    [[ago(1, 3), ago(2, 3), noon + 40 * MINUTE], noon + 40 * MINUTE, 'what is agreed comes first'],
    [[noon], null, 'a window that opens now is not the next'],
  ];
  for (const [starts, next, why] of table) assert.equal(nextWindow(starts, noon, singapore), next, why);
});

test('the next window is in the future, within a day unless it is committed', () => {
  const starts = fc.array(
    fc.integer({ min: -40 * 24, max: 48 }).map((hours) => noon + hours * HOUR),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(starts, (starts) => {
      const next = nextWindow(starts, noon, singapore);
      if (next === null) return;
      assert.ok(next > noon);
      if (!starts.includes(next)) {
        assert.ok(next <= noon + DAY);
        const alike = starts.filter((start) => hourOfDay(start) === hourOfDay(next));
        assert.ok(new Set(alike).size >= 2);
      }
    }),
  );
});

test('hours are those of the local clock, also where its offset is half an hour', () => {
  const kolkata = localZone('Asia/Kolkata');
  const at = (date: string, clock: string) => kolkata.atLocal(date, clock);
  const starts = [at('2026-11-09', '15:15'), at('2026-11-10', '15:45')];
  assert.equal(nextWindow(starts, at('2026-11-11', '12:10'), kolkata), at('2026-11-11', '15:00'));
});
