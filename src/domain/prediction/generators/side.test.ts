import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { round } from '../../stats/unit-scale.ts';
import type { Conditions, OutcomeSum } from '../generator.ts';
import { sideGenerators } from './all.ts';
import { movementFriction } from './movement-friction.ts';
import { offerIntensity } from './offer-intensity.ts';
import { quietWindow } from './quiet-window.ts';
import { rainComfort } from './rain-comfort.ts';
import {
  addOutcome,
  conditionKey,
  expectedOutcome,
  priorOutcome,
  sideConfidence,
  sideScore,
} from './side.ts';
import { silenceCorrectness } from './silence-correctness.ts';

const at: Conditions = {
  hour: 15,
  calm: 0.62,
  primary_state: 'calm-social',
  rain_mm: 0,
  friction: 0.3,
  spare_capacity: 0.5,
  gate: 'why_now',
};

test('the worked example of docs/formulas.md', () => {
  const past = { n: 20, sum: 17 };
  const prior = priorOutcome(quietWindow, { ...at, calm: 0.64 });
  const expected = round(expectedOutcome(past, prior));
  assert.deepEqual([round(prior), expected], [0.6, 0.756]);
  assert.equal(sideConfidence(quietWindow, expected, past), 0.756);
  assert.equal(sideScore(quietWindow, expected, 1), 0.756);
  assert.equal(sideScore(quietWindow, expected, 0), 0.244);
  assert.equal(sideConfidence(movementFriction, 0.3, { n: 36, sum: 10.8 }), 0.775);
  assert.equal(sideScore(movementFriction, 0.3, 0.4), 0.75);
});

test('without outcomes the prior is expected, with low confidence in a level', () => {
  for (const generator of sideGenerators) {
    const prior = priorOutcome(generator, at);
    assert.ok(Math.abs(expectedOutcome(undefined, prior) - prior) < 1e-12);
  }
  assert.equal(sideConfidence(movementFriction, 0.2, undefined), 0.4);
  assert.equal(sideConfidence(rainComfort, 0.07, undefined), 0.93);
});

test('the prior follows the calm and the rain of the moment, and is otherwise the usual outcome', () => {
  for (const [generator, more, prior] of [
    [quietWindow, { calm: 0 }, 0.02],
    [quietWindow, { calm: 0.5 }, 0.25],
    [quietWindow, { calm: 0.7 }, 0.75],
    [quietWindow, { calm: 1 }, 0.98],
    [rainComfort, { rain_mm: 0 }, 0.93],
    [rainComfort, { rain_mm: 0.4 }, 0.4],
    [rainComfort, { rain_mm: 3 }, 0.1],
    [movementFriction, { friction: 0.8 }, movementFriction.usual],
    [offerIntensity, {}, offerIntensity.usual],
    [silenceCorrectness, {}, silenceCorrectness.usual],
  ] as const)
    assert.equal(round(priorOutcome(generator, { ...at, ...more })), prior, generator.name);
});

test('condition keys name the condition and the three hours of the day', () => {
  for (const [generator, more, key] of [
    [quietWindow, {}, '6 5'],
    [rainComfort, {}, 'dry 5'],
    [rainComfort, { rain_mm: 0.5 }, 'wet 5'],
    [rainComfort, { rain_mm: 1 }, 'pouring 5'],
    [rainComfort, { rain_mm: null }, null],
    [movementFriction, {}, '2 5'],
    [offerIntensity, {}, '3 5'],
    [offerIntensity, { spare_capacity: null }, null],
    [silenceCorrectness, {}, 'why_now 5'],
    [silenceCorrectness, { gate: null }, null],
  ] as const)
    assert.equal(
      conditionKey(generator, { ...at, ...more }),
      key,
      `${generator.name} ${JSON.stringify(more)}`,
    );
});

test('outcomes are summed, and older ones lose weight after 400', () => {
  assert.deepEqual([1, 0, 1].reduce<OutcomeSum | undefined>(addOutcome, undefined), { n: 3, sum: 2 });
  let sums: OutcomeSum | undefined;
  for (let i = 0; i < 1000; i++) sums = addOutcome(sums, 1);
  for (let i = 0; i < 2000; i++) sums = addOutcome(sums, 0);
  assert.ok(sums && sums.n <= 401 && sums.sum / sums.n < 0.05, JSON.stringify(sums));
});

test('scores and confidences lie in 0..1, and a probability is right when the likelier side came true', () => {
  const probability = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...sideGenerators),
      probability,
      fc.constantFrom(0, 1),
      (generator, expected, outcome) => {
        const score = sideScore(generator, expected, outcome);
        assert.ok(score >= 0 && score <= 1);
        const confidence = sideConfidence(generator, expected, undefined);
        assert.ok(confidence >= 0 && confidence <= 1);
      },
    ),
  );
  assert.ok(sideScore(rainComfort, 0.51, 1) >= 0.5 && sideScore(rainComfort, 0.51, 0) < 0.5);
});
