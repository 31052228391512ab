import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryStates } from '../../domain/atmosphere/primary-state.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { chance, clockFrom, stateKind } from './place-words.ts';

test('a probability is shown in whole percent, and never on the other side of one half', () => {
  const table: [probability: number, shown: string][] = [
    [0, '0%'],
    [0.824, '82%'],
    [0.496, '49.6%'],
    [0.4999, '49.9%'],
    [0.494, '49%'],
    [0.5, '50%'],
    [1, '100%'],
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
