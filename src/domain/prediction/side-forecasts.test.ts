import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Conditions,
  expectation,
  fileUnder,
  type SideGenerator,
  sideConfidence,
  sideGenerators,
  sideScore,
  type Tally,
  tallied,
  usualOutcome,
} from './side-forecasts.ts';

const generators = Object.keys(sideGenerators) as SideGenerator[];
const at: Conditions = {
  slot: Date.parse('2026-11-11T15:00:00+08:00'),
  calm: 0.62,
  rain_mm: 0,
  friction: 0.3,
  room: 0.5,
  gate: 'why_now',
};

test('the worked example of docs/formulas.md', () => {
  const seen = { n: 20, sum: 17 };
  const expected = expectation(seen, usualOutcome.quiet_window_60m);
  assert.equal(expected, 0.75625);
  assert.equal(sideConfidence('quiet_window_60m', expected, seen), 0.756);
  assert.equal(sideScore('quiet_window_60m', expected, 1), 0.756);
  assert.equal(sideScore('quiet_window_60m', expected, 0), 0.244);
  assert.equal(sideConfidence('movement_friction_60m', 0.3, { n: 36, sum: 10.8 }), 0.775);
  assert.equal(sideScore('movement_friction_60m', 0.3, 0.4), 0.75);
});

test('what was never seen is expected to be as usual, with little confidence in a level', () => {
  for (const generator of generators) {
    assert.ok(Math.abs(expectation(undefined, usualOutcome[generator]) - usualOutcome[generator]) < 1e-12);
  }
  assert.equal(sideConfidence('movement_friction_60m', 0.2, undefined), 0.4);
  assert.equal(sideConfidence('rain_comfort_60m', 0.07, undefined), 0.93);
});

test('conditions are filed by their kind and three hours of the day', () => {
  for (const [generator, more, key] of [
    ['quiet_window_60m', {}, '3 5'],
    ['rain_comfort_60m', {}, 'dry 5'],
    ['rain_comfort_60m', { rain_mm: 0.5 }, 'wet 5'],
    ['rain_comfort_60m', { rain_mm: 1 }, 'pouring 5'],
    ['rain_comfort_60m', { rain_mm: null }, null],
    ['movement_friction_60m', {}, '2 5'],
    ['offer_intensity_60m', {}, '3 5'],
    ['offer_intensity_60m', { room: null }, null],
    ['silence_correctness_60m', {}, 'why_now 5'],
    ['silence_correctness_60m', { gate: null }, null],
  ] as const)
    assert.equal(fileUnder(generator, { ...at, ...more }), key, `${generator} ${JSON.stringify(more)}`);
});

test('outcomes are counted, and the oldest fade after 400', () => {
  assert.deepEqual([1, 0, 1].reduce<Tally | undefined>(tallied, undefined), { n: 3, sum: 2 });
  let tally: Tally | undefined;
  for (let i = 0; i < 1000; i++) tally = tallied(tally, 1);
  for (let i = 0; i < 2000; i++) tally = tallied(tally, 0);
  assert.ok(tally && tally.n <= 401 && tally.sum / tally.n < 0.05, JSON.stringify(tally));
});

test('scores and confidences stay on the scale, and a chance is right when the likelier side came true', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...generators),
      chance,
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
