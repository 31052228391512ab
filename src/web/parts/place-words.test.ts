import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryStates } from '../../domain/atmosphere/primary-state.ts';
import type { VisitAdvice } from '../../domain/prediction/calm-window.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { adviceWords, chance, clockFrom, nowLine, stateKind } from './place-words.ts';

test('a probability is shown in whole percent, and never on the other side of one half', () => {
  const table: [probability: number, shown: string][] = [
    [0, '0\u00a0%'],
    [0.824, '82\u00a0%'],
    [0.496, '49.6\u00a0%'],
    [0.4999, '49.99\u00a0%'],
    [0.494, '49\u00a0%'],
    [0.5, '50\u00a0%'],
    [1, '100\u00a0%'],
  ];
  for (const [probability, shown] of table) assert.equal(chance(probability), shown);
});

test('every calm state has the mark of calm, and no other state has', () => {
  for (const state of primaryStates)
    assert.equal(stateKind(state) === 'calm', state.startsWith('calm-'), state);
  assert.equal(stateKind(null), 'unread');
});

test('a time of the next day says so', () => {
  const clock = clockFrom('2026-11-11T04:00:00Z', singapore);
  assert.equal(clock('2026-11-11T12:00:00Z'), '20:00');
  assert.equal(clock('2026-11-11T23:00:00Z'), '07:00 tomorrow');
});

test('the advice names one duration and one end, or the time of the best forecast', () => {
  const clock = clockFrom('2026-11-11T04:00:00Z', singapore);
  const now = { half_life_minutes: 31, expires_at: '2026-11-11T04:31:00Z', silent_because: null };
  const best_window = { at: '2026-11-11T06:00:00Z' };
  const words = (advice: VisitAdvice, more = {}) =>
    adviceWords({ advice, best_window, ...now, ...more }, clock);
  assert.equal(words('now'), 'Good now, likely for about 30 minutes, until 12:31');
  assert.equal(words('later'), 'Better at 14:00');
  assert.equal(words('not_soon'), 'Not likely calm in the next three hours');
  assert.equal(words('not_soon', { best_window: null }), 'Not likely calm in the next half hour');
  const unread = { half_life_minutes: null, expires_at: null };
  assert.equal(words('unknown', unread), 'Not enough recent data');
  assert.equal(words('unknown', { ...unread, silent_because: 'x' }), 'No current reading: x');
});

test('only a pocket without a usual says that it is not known, read or not', () => {
  const line = (usual_calm: number | null, against_usual: 'calmer' | null) =>
    nowLine({ primary_state: null, calm_level: null, usual_calm, against_usual } as Parameters<
      typeof nowLine
    >[0]).markup;
  assert.match(line(null, null), /usual not known yet/);
  for (const against of ['calmer', null] as const) {
    assert.doesNotMatch(line(0.61, against), /usual not known/);
    assert.match(line(0.61, against), /0\.61/);
  }
});
