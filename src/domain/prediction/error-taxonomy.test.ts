import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyMiss, errorTypes, type Miss } from './error-taxonomy.ts';

/** A miss that no cause explains. */
const unexplained: Miss = {
  expected_state: 'calm-social',
  expected_calm: 0.6,
  completeness: 1,
  rain_then: 0,
  rain_now: 0,
  crowd_deviation: 0.05,
  calm_now: 0.3,
  state_before: 'lively-social',
  spoke: false,
  network_state: 'lively-social',
};
const missType = (more: Partial<Miss>) => classifyMiss({ ...unexplained, ...more });

test('the worked example of docs/formulas.md', () => {
  assert.equal(missType({ rain_now: 1.2, crowd_deviation: -0.4, spoke: true }), 'weather_miss');
});

test('each cause, and the first that fits', () => {
  for (const [more, type] of [
    [{ completeness: 0.74, rain_now: 3 }, 'freshness_miss'],
    [{ rain_now: 0.4 }, 'weather_miss'],
    [{ rain_then: 2 }, 'weather_miss'],
    [{ rain_then: 0.5, rain_now: 4, spoke: true }, 'saturation_misread'],
    [{ rain_then: null, rain_now: 4, spoke: true }, 'saturation_misread'],
    [{ crowd_deviation: 0.2, state_before: 'calm-social' }, 'footfall_miss'],
    [{ crowd_deviation: -0.2 }, 'footfall_miss'],
    [{ crowd_deviation: null, state_before: 'calm-social', spoke: true }, 'timing_miss'],
    [{ spoke: true, calm_now: 0.6 }, 'saturation_misread'],
    [{ calm_now: 0.55, network_state: 'calm-social' }, 'threshold_too_loose'],
    [{ network_state: 'calm-social' }, 'wrong_pocket_inheritance'],
    [{}, 'threshold_too_loose'],
    [{ state_before: null }, 'threshold_too_loose'],
  ] as const)
    assert.equal(missType(more), type, JSON.stringify(more));
});

test('the taxonomy has seven distinct types', () => {
  assert.deepEqual(errorTypes.length, new Set(errorTypes).size);
  assert.equal(errorTypes.length, 7);
});
