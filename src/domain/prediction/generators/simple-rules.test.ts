// What persistence and the same hour last week would have scored, which is computed at the reveal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observed, ObservedOutcome } from '../generator.ts';
import type { SidePayload } from '../prediction.ts';
import { movementFriction } from './movement-friction.ts';
import { offerIntensity } from './offer-intensity.ts';
import { quietWindow } from './quiet-window.ts';
import { rainComfort } from './rain-comfort.ts';
import type { SideGenerator } from './side.ts';
import { silenceCorrectness } from './silence-correctness.ts';
import { scoreOfReading } from './state.ts';

const atSealing: ObservedOutcome = {
  primary_state: 'calm-social',
  calm: 0.6,
  rain_mm: 0.4,
  crowd: null,
  movement_friction: 0.3,
  spare_capacity: null,
};
const observed: Observed = {
  actual: { ...atSealing, movement_friction: 0.4 },
  before: null,
  lastWeek: null,
  since: { least_calm: 0.6, most_rain: 0 },
  atSealing,
  silence_right: null,
  crowd_deviation: null,
  spoke: false,
  network_state: 'calm-social',
};

const persistenceScore = (generator: SideGenerator, more: Partial<Observed> = {}) => {
  const payload: SidePayload = {
    type: 'prediction',
    ...{ id: '', pocket_id: 'holland', generator: generator.name, prediction_key: '' },
    ...{ prediction_type: generator.type, horizon_minutes: 60, sealed_at: '', reveal_at: '', shadow: false },
    substrate: 'simulated',
    ...{ confidence: 0.7, completeness: 1 },
    ...{ forecast: { expected: 0.5, filed_under: '6 5' }, baseline: { expected: 0.5 } },
  };
  return generator.reveal(payload, { ...observed, ...more })?.persistence_score;
};

test('the worked example of docs/formulas.md', () => {
  const actual = { primary_state: 'calm-social', calm: 0.62 } as const;
  assert.equal(scoreOfReading({ primary_state: 'calm-social', calm: 0.82 }, actual), 0.9);
  assert.equal(scoreOfReading({ primary_state: 'lively-social', calm: 0.52 }, actual), 0.4);
  assert.equal(persistenceScore(movementFriction), 0.75);
  assert.equal(persistenceScore(quietWindow), 1);
});

test('a side forecast is compared with its quantity at sealing, where there is one', () => {
  for (const [generator, more, expected] of [
    [quietWindow, { calm: 0.55 }, 1],
    [quietWindow, { calm: 0.54 }, 0],
    [rainComfort, { rain_mm: 0.2 }, 0],
    [rainComfort, { rain_mm: 0.1 }, 1],
    [rainComfort, { rain_mm: null }, null],
    [movementFriction, {}, 0.3],
    [offerIntensity, {}, null],
    [silenceCorrectness, {}, null],
  ] as [SideGenerator, Partial<ObservedOutcome>, number | null][])
    assert.equal(generator.current({ ...atSealing, ...more }), expected, generator.name);
});

test('without a reading there is no score', () => {
  assert.equal(scoreOfReading(null, { primary_state: 'calm-social', calm: 0.6 }), null);
  assert.equal(persistenceScore(quietWindow, { atSealing: null }), null);
});
