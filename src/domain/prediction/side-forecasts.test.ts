import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { round } from '../stats/unit-scale.ts';
import {
  addOutcome,
  type Conditions,
  conditionKey,
  expectedOutcome,
  type OutcomeSum,
  priorOutcome,
  type SideGenerator,
  sideConfidence,
  sideGenerators,
  sideScore,
  usualOutcome,
} from './side-forecasts.ts';

const generators = Object.keys(sideGenerators) as SideGenerator[];
const at: Conditions = {
  hour: 15,
  calm: 0.62,
  rain_mm: 0,
  friction: 0.3,
  spare_capacity: 0.5,
  gate: 'why_now',
};

test('the worked example of docs/formulas.md', () => {
  const past = { n: 20, sum: 17 };
  const prior = priorOutcome('quiet_window_60m', { ...at, calm: 0.64 });
  const expected = round(expectedOutcome(past, prior));
  assert.deepEqual([round(prior), expected], [0.6, 0.756]);
  assert.equal(sideConfidence('quiet_window_60m', expected, past), 0.756);
  assert.equal(sideScore('quiet_window_60m', expected, 1), 0.756);
  assert.equal(sideScore('quiet_window_60m', expected, 0), 0.244);
  assert.equal(sideConfidence('movement_friction_60m', 0.3, { n: 36, sum: 10.8 }), 0.775);
  assert.equal(sideScore('movement_friction_60m', 0.3, 0.4), 0.75);
});

test('without outcomes the prior is expected, with low confidence in a level', () => {
  for (const generator of generators) {
    const prior = priorOutcome(generator, at);
    assert.ok(Math.abs(expectedOutcome(undefined, prior) - prior) < 1e-12);
  }
  assert.equal(sideConfidence('movement_friction_60m', 0.2, undefined), 0.4);
  assert.equal(sideConfidence('rain_comfort_60m', 0.07, undefined), 0.93);
});

test('the prior follows the calm and the rain of the moment, and is otherwise the usual outcome', () => {
  for (const [generator, more, prior] of [
    ['quiet_window_60m', { calm: 0 }, 0.02],
    ['quiet_window_60m', { calm: 0.5 }, 0.25],
    ['quiet_window_60m', { calm: 0.7 }, 0.75],
    ['quiet_window_60m', { calm: 1 }, 0.98],
    ['rain_comfort_60m', { rain_mm: 0 }, 0.93],
    ['rain_comfort_60m', { rain_mm: 0.4 }, 0.4],
    ['rain_comfort_60m', { rain_mm: 3 }, 0.1],
    ['movement_friction_60m', { friction: 0.8 }, usualOutcome.movement_friction_60m],
    ['offer_intensity_60m', {}, usualOutcome.offer_intensity_60m],
    ['silence_correctness_60m', {}, usualOutcome.silence_correctness_60m],
  ] as const)
    assert.equal(round(priorOutcome(generator, { ...at, ...more })), prior, generator);
});

test('condition keys name the condition and the three hours of the day', () => {
  for (const [generator, more, key] of [
    ['quiet_window_60m', {}, '6 5'],
    ['rain_comfort_60m', {}, 'dry 5'],
    ['rain_comfort_60m', { rain_mm: 0.5 }, 'wet 5'],
    ['rain_comfort_60m', { rain_mm: 1 }, 'pouring 5'],
    ['rain_comfort_60m', { rain_mm: null }, null],
    ['movement_friction_60m', {}, '2 5'],
    ['offer_intensity_60m', {}, '3 5'],
    ['offer_intensity_60m', { spare_capacity: null }, null],
    ['silence_correctness_60m', {}, 'why_now 5'],
    ['silence_correctness_60m', { gate: null }, null],
  ] as const)
    assert.equal(conditionKey(generator, { ...at, ...more }), key, `${generator} ${JSON.stringify(more)}`);
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
      fc.constantFrom(...generators),
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
  assert.ok(sideScore('rain_comfort_60m', 0.51, 1) >= 0.5 && sideScore('rain_comfort_60m', 0.51, 0) < 0.5);
});
