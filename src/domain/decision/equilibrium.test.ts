import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bareLevelIn, voiceFaults } from '../text/voice.ts';
import {
  compositeScore,
  type Dimensions,
  type Direction,
  dimensions,
  type EquilibriumInput,
  equilibriumDirection,
  equilibriumReasons,
  scoreEquilibrium,
} from './equilibrium.ts';

const nothing: EquilibriumInput = {
  readings: 0,
  calm: 0,
  senses: [],
  judged: 0,
  vindicated: 0,
  revealed: 0,
  hits: 0,
  readings_after: 0,
  calm_after: 0,
  idle_hours: 0,
  reclaimed_hours: 0,
};

test('the worked example of docs/formulas.md', () => {
  const recent: EquilibriumInput = {
    readings: 16,
    calm: 9.6,
    senses: [{ word: 'calm', primary_state: 'calm-social', people: 3 }],
    judged: 20,
    vindicated: 17,
    revealed: 25,
    hits: 20,
    readings_after: 8,
    calm_after: 6,
    idle_hours: 40,
    reclaimed_hours: 10,
  };
  assert.deepEqual(scoreEquilibrium(recent, 0.6), {
    dimensions: {
      atmosphere_calm: 0.6,
      restraint_quality: 0.85,
      citizen_alignment: null,
      prediction_trust: 0.8,
      emission_quality: 0.75,
      waste_avoidance: 0.25,
    },
    composite: 0.65,
    direction: 'improving',
  });
});

test('without data the composite is null and the direction unknown', () => {
  for (const previous of [null, 0.5]) {
    const { dimensions: read, composite, direction } = scoreEquilibrium(nothing, previous);
    assert.deepEqual(new Set(Object.values(read)), new Set([null]));
    assert.equal(composite, null);
    assert.equal(direction, 'unknown');
  }
});

test('zero is not null', () => {
  const { dimensions: read, composite } = scoreEquilibrium(
    { ...nothing, judged: 2, readings: 2, calm: 1 },
    null,
  );
  assert.equal(read.restraint_quality, 0);
  assert.equal(composite, 0.25);
});

test('direction', () => {
  const table: [composite: number | null, previous: number | null, direction: Direction][] = [
    [null, null, 'unknown'],
    [null, 0.5, 'unknown'],
    [0.5, null, 'forming'],
    [0.5, 0.5, 'stable'],
    [0.519, 0.5, 'stable'],
    [0.52, 0.5, 'improving'],
    [0.481, 0.5, 'stable'],
    [0.48, 0.5, 'degrading'],
    [0, 1, 'degrading'],
  ];
  for (const [composite, previous, direction] of table)
    assert.equal(equilibriumDirection(composite, previous), direction, `${composite} after ${previous}`);
});

const share = fc.option(fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000));
const anyDimensions = fc.record(
  Object.fromEntries(dimensions.map((dimension) => [dimension, share])),
) as fc.Arbitrary<Dimensions>;

test('the composite lies between the lowest and the highest dimension present', () => {
  fc.assert(
    fc.property(anyDimensions, (read) => {
      const present = Object.values(read).filter((value) => value !== null);
      const composite = compositeScore(read);
      if (!present.length) return assert.equal(composite, null);
      const mean = present.reduce((sum, value) => sum + value, 0) / present.length;
      assert.ok(composite !== null && Math.abs(composite - mean) <= 0.0006);
      assert.ok(composite >= Math.min(...present) && composite <= Math.max(...present));
    }),
  );
});

test('every dimension has a reason that passes the voice rules and names no level', () => {
  fc.assert(
    fc.property(anyDimensions, (read) => {
      const reasons = equilibriumReasons(read);
      assert.deepEqual(Object.keys(reasons), [...dimensions]);
      for (const dimension of dimensions) {
        assert.deepEqual(voiceFaults(reasons[dimension], 'emit'), [], reasons[dimension]);
        assert.equal(bareLevelIn(reasons[dimension]), null);
      }
    }),
  );
});
