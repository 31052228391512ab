import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { askedTime, lastsIntoDay, visitAdvice } from './visit.ts';

const now = Date.parse('2026-11-11T15:20:00+08:00');
const at = (local: string) => Date.parse(`2026-11-${local}:00+08:00`);

test('the time asked for: now, the next time of an hour, or an hour of a day within a week', () => {
  const table: [day: string | undefined, hour: number | undefined, expected: number | null | string][] = [
    [undefined, undefined, null],
    [undefined, 16, at('11T16:00')],
    [undefined, 15, at('12T15:00')],
    [undefined, 9, at('12T09:00')],
    ['2026-11-11', undefined, null],
    ['2026-11-11', 15, null],
    ['2026-11-11', 16, at('11T16:00')],
    ['2026-11-11', 9, '09:00 of 2026-11-11 has passed'],
    ['2026-11-14', 10, at('14T10:00')],
    ['2026-11-14', undefined, at('14T12:00')],
    ['2026-11-17', 22, at('17T22:00')],
    ['2026-11-18', 9, 'day must be from 2026-11-11 to 2026-11-17'],
    ['2026-11-10', 9, 'day must be from 2026-11-11 to 2026-11-17'],
  ];
  for (const [day, hour, expected] of table)
    assert.equal(askedTime(now, { day, hour }, singapore), expected, `${day} ${hour}`);
});

test('the advice follows from the window, the chance and the next window', () => {
  const window = {
    ...{ basis: 'forecast' as const, starts_at: now, ends_at: now + HOUR },
    ...{ calm_probability: 0.9, held_share: 0.9 },
  };
  assert.equal(visitAdvice(0.9, window, null), 'calm');
  assert.equal(visitAdvice(0.75, null, window), 'may_be_calm', 'likely, but not for an hour');
  assert.equal(visitAdvice(0.5, null, null), 'may_be_calm');
  assert.equal(visitAdvice(0.499, null, window), 'later');
  assert.equal(visitAdvice(0.499, null, null), 'not_soon');
  assert.equal(visitAdvice(null, null, window), 'later');
  assert.equal(visitAdvice(null, null, null), 'unknown');
});

test('a window of the night lasts into the day where it covers its first waking hour', () => {
  const table: [from: string, ends: string, lasts: boolean][] = [
    ['11T06:10', '11T08:00', true],
    ['11T06:10', '11T07:30', false],
    ['11T03:00', '11T06:00', false],
    ['11T23:50', '12T08:00', true],
    ['11T23:50', '12T02:30', false],
  ];
  for (const [from, ends, lasts] of table)
    assert.equal(lastsIntoDay(at(ends), at(from), singapore), lasts, `${from} to ${ends}`);
});
