import assert from 'node:assert/strict';
import { test } from 'node:test';
import { voiceFaults } from '../text/voice.ts';
import { type CalmNow, calmFigures, calmTurn } from './calm-text.ts';
import { isCalmState, primaryStates } from './primary-state.ts';

const now = (
  primary_state: CalmNow['primary_state'],
  calm_probability: number,
  calm_level: number,
  calm_change: number,
): CalmNow => ({ primary_state, calm_probability, calm_level, calm_change });

test('level and probability are named apart, as stored', () => {
  assert.equal(calmFigures(now('calm-social', 0.499, 0.549, 0)), 'calm level 0.549, calm probability 0.499');
});

test('what has turned is said where state and probability disagree', () => {
  const table: [now: CalmNow, turn: string | null][] = [
    [now('calm-restful', 0.9, 0.8, -0.2), null],
    [now('calm-restful', 0.5, 0.6, -0.2), null],
    [now('calm-restful', 0.499, 0.6, -0.2), 'calm now, but turning: less calm than half an hour ago'],
    [now('calm-social', 0.4, 0.56, 0), 'calm now, but barely'],
    [now('lively-social', 0.499, 0.54, 0.2), null],
    [now('lively-social', 0.5, 0.54, 0.2), 'not calm yet, but turning: calmer than half an hour ago'],
    [now('lively-social', 0.5, 0.545, 0), 'not calm yet, but nearly'],
    [
      now('rain-subdued', 0.6, 0.7, -0.1),
      'subdued by rain, but turning: calm mostly followed such readings here',
    ],
  ];
  for (const [at, turn] of table) assert.equal(calmTurn(at), turn);
});

test('every turn keeps to the voice, and none is told where both agree', () => {
  for (const state of primaryStates)
    for (const probability of [0, 0.499, 0.5, 1])
      for (const change of [-0.3, 0, 0.3]) {
        const turn = calmTurn(now(state, probability, 0.55, change));
        assert.equal(turn === null, isCalmState(state) === probability >= 0.5);
        if (turn) assert.deepEqual(voiceFaults(`${turn}.`), []);
      }
});
