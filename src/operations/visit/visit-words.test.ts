import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singapore } from '../../domain/time/zones.fixture.ts';
import type { VisitAdvice } from '../../domain/window/visit.ts';
import { adviceWords, clockFrom, timeWords } from './visit-words.ts';

test('a time of another day says which', () => {
  const table: [now: string, time: string, shown: string][] = [
    ['11T12:00', '11T20:00', '20:00'],
    ['11T12:00', '12T07:00', '07:00 tomorrow'],
    ['11T23:50', '12T00:22', '00:22 tonight'],
    ['11T23:50', '12T07:00', '07:00 tomorrow'],
    ['11T09:00', '12T00:22', '00:22 tomorrow'],
    ['11T12:00', '14T10:00', 'Saturday 10:00'],
  ];
  const at = (local: string) => `2026-11-${local}:00+08:00`;
  for (const [now, time, shown] of table)
    assert.equal(clockFrom(at(now), singapore)(at(time)), shown, `${now} ${time}`);
});

test('a time is part of a sentence', () => {
  const words = (time: string) =>
    timeWords(`2026-11-${time}:00+08:00`, '2026-11-11T20:00:00+08:00', singapore);
  assert.deepEqual(['11T21:00', '12T00:30', '12T10:00', '14T10:00'].map(words), [
    'at 21:00',
    'tonight at 00:30',
    'tomorrow at 10:00',
    'on Saturday at 10:00',
  ]);
});

test('the day of a time is told once', () => {
  const clock = clockFrom('2026-11-11T12:00:00+08:00', singapore);
  assert.equal(clock('2026-11-14T11:00:00+08:00', '2026-11-14T10:00:00+08:00'), '11:00');
  assert.equal(clock('2026-11-15T01:00:00+08:00', '2026-11-14T22:00:00+08:00'), 'Sunday 01:00');
});

test('the advice names a chance in words, an end, and the next window where there is none', () => {
  const clock = clockFrom('2026-11-11T04:00:00Z', singapore);
  const expected = {
    ...{ at: '2026-11-11T04:00:00Z', basis: 'forecast' as const, calm_probability: 0.93, calm_level: 0.7 },
    ...{ n: null, holiday: null },
  };
  const window = {
    ...{ basis: 'forecast' as const, starts_at: '2026-11-11T06:00:00Z', ends_at: '2026-11-11T07:30:00Z' },
    ...{ at_least: false, calm_probability: 0.8, held_share: 0.9 },
  };
  const usual = { ...window, basis: 'usual' as const, starts_at: '2026-11-13T23:00:00Z' };
  const words = (advice: VisitAdvice, more: Partial<Parameters<typeof adviceWords>[0]> = {}) =>
    adviceWords(
      {
        advice,
        expected,
        window: null,
        next_window: null,
        primary_state: null,
        silent_because: null,
        ...more,
      },
      clock,
    ).replaceAll('\u00a0', ' ');
  const unlikely = { ...expected, calm_probability: 0.12 };
  const table: [string, string][] = [
    [words('calm', { window }), 'Very likely calm (93 %), until 15:30'],
    [
      words('calm', { window: { ...window, at_least: true } }),
      'Very likely calm (93 %), at least until 15:30',
    ],
    [
      words('calm', { window: usual, expected: { ...expected, basis: 'usual', n: 32 } }),
      'Almost always calm (93 % of 32 readings), until 15:30',
    ],
    [words('may_be_calm', { expected: { ...expected, calm_probability: 0.61 } }), 'May be calm (61 %)'],
    [words('may_be_calm'), 'Very likely calm (93 %), but not for an hour'],
    [
      words('later', { expected: unlikely, next_window: window }),
      'Unlikely calm (12 %); likely calm from 14:00 to 15:30',
    ],
    [
      words('later', { expected: unlikely, next_window: usual }),
      'Unlikely calm (12 %); usually calm from Saturday 07:00 to 15:30',
    ],
    [
      words('later', {
        expected: { ...unlikely, basis: 'usual', n: 28, holiday: 'Deepavali' },
        next_window: { ...usual, ends_at: '2026-11-14T01:00:00Z' },
      }),
      'Sometimes calm (12 % of 28 readings), as on a Sunday: Deepavali; usually calm from Saturday 07:00 to 09:00',
    ],
    [
      words('not_soon', { expected: unlikely }),
      'Unlikely calm (12 %); no calm window in the next seven days',
    ],
    [words('unknown', { expected: null }), 'Not enough recent data'],
    [words('unknown', { expected: null, silent_because: 'x' }), 'No current reading: x'],
    [
      words('unknown', { expected: null, silent_because: 'x', primary_state: 'calm-restful' }),
      'What is usual then is not known yet',
    ],
    [words('later', { expected: null, next_window: window }), 'Likely calm from 14:00 to 15:30'],
  ];
  for (const [said, wanted] of table) assert.equal(said, wanted);
});
