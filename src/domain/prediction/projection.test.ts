import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { projectionScore, toProjection } from './projection.ts';

const projection = { expected_state: 'calm-social', expected_calm: 0.62 };

test('the worked example of docs/formulas.md', () => {
  assert.equal(projectionScore(projection, { primary_state: 'calm-social', calm: 0.82 }), 0.9);
});

test('the score falls with the error of calm, and a wrong state scores at most 0.4', () => {
  for (const [state, calm, score] of [
    ['calm-social', 0.62, 1],
    ['calm-social', 0.72, 1],
    ['calm-social', 0.52, 1],
    ['calm-social', 0.92, 0.8],
    ['calm-social', 0.12, 0.6],
    ['calm-social', 0, 0.6],
    ['calm-restful', 0.62, 0.4],
    ['calm-restful', 0.92, 0.2],
    ['tense-crowded', 0, 0],
  ] as const)
    assert.equal(projectionScore(projection, { primary_state: state, calm }), score, `${state} ${calm}`);
});

test('a forecast is right exactly when it names the state', () => {
  const state = fc.constantFrom(...primaryStates);
  const calm = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(state, calm, state, calm, (expected_state, expected_calm, primary_state, observed) => {
      const score = projectionScore({ expected_state, expected_calm }, { primary_state, calm: observed });
      assert.ok(score >= 0 && score <= 1);
      assert.equal(score >= 0.5, expected_state === primary_state);
    }),
  );
});

test('the likeliest state is the expected one, and expected calm is limited to 0..1', () => {
  const classes = [0.1, 0.05, 0.4321, 0.1, 0.1, 0.1, 0.05, 0.0679];
  const { expected_state, ...rest } = toProjection({ classes, calm: 0.58214, value: 1.2, confidence: 0.43 });
  assert.equal(expected_state, 'calm-restful');
  assert.deepEqual(rest, {
    calm_probability: 0.582,
    expected_calm: 1,
    probabilities: [0.1, 0.05, 0.432, 0.1, 0.1, 0.1, 0.05, 0.068],
  });
  assert.equal(toProjection({ classes, calm: 0.5, value: null, confidence: 0.1 }).expected_calm, 0.5);
});
