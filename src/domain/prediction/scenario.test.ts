import assert from 'node:assert/strict';
import { test } from 'node:test';
import { values } from '../../../test/support/example.ts';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { faultsOf } from '../text/voice.ts';
import { nowLine, outlookLine, turningLine } from './outlook-text.ts';
import { type Shift, scenarios, supposed, topModifier, turningPoints } from './scenario.ts';

test('one signal is changed, and only where it is known and would differ', () => {
  for (const [supposition, given, changed] of [
    ['rain_sets_in', { rain_mm: 0 }, { rain_mm: 2 }],
    ['rain_sets_in', { rain_mm: 0.4 }, null],
    ['rain_sets_in', { rain_mm: null }, null],
    ['rain_clears', { rain_mm: 1 }, { rain_mm: 0 }],
    ['rain_clears', { rain_mm: 0.2 }, null],
    ['crowd_grows', { footfall: 400 }, { footfall: 700 }],
    ['crowd_thins', { footfall: 200 }, { footfall: 0 }],
    ['crowd_thins', { footfall: 0 }, null],
    ['crowd_thins', { footfall: null }, null],
    ['trains_fill', { transit_crowding: 0.8 }, { transit_crowding: 1 }],
    ['trains_fill', { transit_crowding: 1 }, null],
    ['trains_empty', { transit_crowding: 0.25 }, { transit_crowding: 0 }],
    ['trains_empty', { transit_crowding: null }, null],
  ] as const) {
    const before = { ...values, ...given };
    const after = supposed(supposition, before, 1000);
    assert.deepEqual(after, changed && { ...before, ...changed }, `${supposition} ${JSON.stringify(given)}`);
  }
});

const outlook = [60, 120].map((minutes_ahead) => ({
  minutes_ahead,
  projection: { expected_state: 'calm-social' as const, calm_probability: 0.7 },
}));
const shift = (supposition: Shift['supposition'], ...calm: number[]): Shift => ({
  supposition,
  horizons: calm.map((calm_probability, h) => ({
    minutes_ahead: 60 * (h + 1),
    expected_state: calm_probability < 0.5 ? 'lively-social' : 'calm-social',
    calm_probability,
  })),
});

test('what turns the outlook is told with the first horizon at which it does', () => {
  const shifts = [
    shift('rain_sets_in', 0.6, 0.4),
    shift('crowd_grows', 0.3, 0.2),
    shift('trains_fill', 0.7, 0.7),
  ];
  assert.deepEqual(turningPoints(outlook, shifts), [
    { supposition: 'rain_sets_in', minutes_ahead: 120, expected_state: 'lively-social' },
    { supposition: 'crowd_grows', minutes_ahead: 60, expected_state: 'lively-social' },
  ]);
});

test('the signal that moves calm most, unless none does', () => {
  const [first, second] = outlook;
  assert.ok(first && second);
  const shifts = [shift('rain_sets_in', 0.6, 0.69), shift('crowd_grows', 0.72, 0.75)];
  assert.equal(topModifier(first, shifts), 'rain');
  assert.equal(topModifier(second, shifts), 'footfall');
  assert.equal(topModifier(first, [shift('trains_fill', 0.71)]), null);
  assert.equal(topModifier(first, []), null);
});

test('every line keeps the voice, and none promises', () => {
  const slot = Date.parse('2026-11-11T04:00:00Z');
  const lines = primaryStates.flatMap((state) => [
    nowLine(slot, state, 0.6),
    ...scenarios.map((supposition) => turningLine(supposition, state, slot)),
    ...[0.2, 0.5, 0.9].flatMap((confidence) =>
      [-0.3, 0, 0.3].map((delta) => outlookLine(slot, state, confidence, delta)),
    ),
  ]);
  for (const line of lines) {
    assert.deepEqual(faultsOf(line), [], line);
    assert.doesNotMatch(line, /\b(will|certain|sure|guarantee)/);
  }
  assert.equal(
    outlookLine(slot, 'calm-social', 0.72, -0.2),
    'around 12:00 SGT likely calm_social, calmer than now (confidence 0.72).',
  );
});
