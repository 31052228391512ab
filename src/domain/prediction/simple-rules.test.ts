import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SideGenerator } from './side-forecasts.ts';
import {
  currentQuantity,
  type SideMeasurements,
  scoreOfReading,
  sidePersistenceScore,
} from './simple-rules.ts';

const at: SideMeasurements = { calm: 0.6, rain_mm: 0.4, movement_friction: 0.3, spare_capacity: null };

test('the worked example of docs/formulas.md', () => {
  const actual = { primary_state: 'calm-social', calm: 0.62 } as const;
  assert.equal(scoreOfReading({ primary_state: 'calm-social', calm: 0.82 }, actual), 0.9);
  assert.equal(scoreOfReading({ primary_state: 'lively-social', calm: 0.52 }, actual), 0.4);
  assert.equal(sidePersistenceScore('movement_friction_60m', at, 0.4), 0.75);
  assert.equal(sidePersistenceScore('quiet_window_60m', at, 1), 1);
});

test('a side forecast is compared with its quantity at sealing, where there is one', () => {
  for (const [generator, more, expected] of [
    ['quiet_window_60m', { calm: 0.55 }, 1],
    ['quiet_window_60m', { calm: 0.54 }, 0],
    ['rain_comfort_60m', { rain_mm: 0.2 }, 0],
    ['rain_comfort_60m', { rain_mm: 0.1 }, 1],
    ['rain_comfort_60m', { rain_mm: null }, null],
    ['movement_friction_60m', {}, 0.3],
    ['offer_intensity_60m', {}, null],
    ['silence_correctness_60m', {}, null],
  ] as [SideGenerator, Partial<SideMeasurements>, number | null][])
    assert.equal(currentQuantity(generator, { ...at, ...more }), expected, generator);
});

test('without a reading there is no score', () => {
  assert.equal(scoreOfReading(null, { primary_state: 'calm-social', calm: 0.6 }), null);
  assert.equal(sidePersistenceScore('quiet_window_60m', null, 1), null);
});
