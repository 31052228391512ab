import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measured } from '../../../test/support/rows/example-moment.ts';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { voiceFaults } from '../text/voice.ts';
import { singapore } from '../time/zones.fixture.ts';
import { nowLine, outlookLine, scenarioLine } from './outlook-text.ts';
import { applyScenario, type ScenarioOutlook, scenarios, stateChanges, topModifier } from './scenario.ts';

type Changed = { crowd?: number | null; rain_mm?: number | null; transit_crowding?: number | null };
const change = ({ crowd, ...signal }: Changed, base: typeof measured) => ({
  values: { ...base.values, ...signal },
  crowd: crowd === undefined ? base.crowd : crowd,
});

test('a scenario changes one signal, and only where it is known and would differ', () => {
  for (const [scenario, given, changed] of [
    ['rain_sets_in', { rain_mm: 0 }, { rain_mm: 2 }],
    ['rain_sets_in', { rain_mm: 0.4 }, null],
    ['rain_sets_in', { rain_mm: null }, null],
    ['rain_clears', { rain_mm: 1 }, { rain_mm: 0 }],
    ['rain_clears', { rain_mm: 0.2 }, null],
    ['crowd_grows', { crowd: 0.4 }, { crowd: 0.7 }],
    ['crowd_thins', { crowd: 0.2 }, { crowd: 0 }],
    ['crowd_thins', { crowd: 0 }, null],
    ['crowd_thins', { crowd: null }, null],
    ['trains_fill', { transit_crowding: 0.8 }, { transit_crowding: 1 }],
    ['trains_fill', { transit_crowding: 1 }, null],
    ['trains_empty', { transit_crowding: 0.25 }, { transit_crowding: 0 }],
    ['trains_empty', { transit_crowding: null }, null],
  ] as const) {
    const before = change(given, measured);
    const after = applyScenario(scenario, before);
    assert.deepEqual(after, changed && change(changed, before), `${scenario} ${JSON.stringify(given)}`);
  }
});

const outlook = [60, 120].map((minutes_ahead) => ({
  minutes_ahead,
  projection: { expected_state: 'calm-social' as const, calm_probability: 0.7 },
}));
const scenarioOutlook = (scenario: ScenarioOutlook['scenario'], ...calm: number[]): ScenarioOutlook => ({
  scenario: scenario,
  horizons: calm.map((calm_probability, h) => ({
    minutes_ahead: 60 * (h + 1),
    expected_state: calm_probability < 0.5 ? 'lively-social' : 'calm-social',
    calm_probability,
  })),
});

test('a scenario that changes the state is reported with the first horizon at which it does', () => {
  const outlooks = [
    scenarioOutlook('rain_sets_in', 0.6, 0.4),
    scenarioOutlook('crowd_grows', 0.3, 0.2),
    scenarioOutlook('trains_fill', 0.7, 0.7),
  ];
  assert.deepEqual(stateChanges(outlook, outlooks), [
    { scenario: 'rain_sets_in', minutes_ahead: 120, expected_state: 'lively-social' },
    { scenario: 'crowd_grows', minutes_ahead: 60, expected_state: 'lively-social' },
  ]);
});

test('the top modifier is the signal that moves calm most, if any does', () => {
  const [first, second] = outlook;
  assert.ok(first && second);
  const outlooks = [scenarioOutlook('rain_sets_in', 0.6, 0.69), scenarioOutlook('crowd_grows', 0.72, 0.75)];
  assert.equal(topModifier(first, outlooks), 'rain');
  assert.equal(topModifier(second, outlooks), 'footfall');
  assert.equal(topModifier(first, [scenarioOutlook('trains_fill', 0.71)]), null);
  assert.equal(topModifier(first, []), null);
});

test('every line keeps the voice, and none promises an outcome', () => {
  const slot = Date.parse('2026-11-11T04:00:00Z');
  const lines = primaryStates.flatMap((state) => [
    nowLine(slot, state, 0.6, singapore),
    ...scenarios.map((scenario) => scenarioLine(scenario, state, slot, singapore)),
    ...[0.2, 0.5, 0.9].flatMap((confidence) =>
      [-0.3, 0, 0.3].map((delta) => outlookLine(slot, state, confidence, delta, singapore)),
    ),
  ]);
  for (const line of lines) {
    assert.deepEqual(voiceFaults(line), [], line);
    assert.doesNotMatch(line, /\b(will|certain|sure|guarantee)/);
  }
  assert.equal(
    outlookLine(slot, 'calm-social', 0.72, -0.2, singapore),
    'around 12:00 SGT likely calm_social, calmer than now (confidence 0.72).',
  );
});
