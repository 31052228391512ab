import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HORIZONS, predictionId, predictionKey, projectionGenerator, revealTime } from './prediction.ts';

const noon = Date.parse('2026-11-11T12:00:00+08:00');

test('the worked example of docs/formulas.md', () => {
  const revealAt = revealTime(noon, 60);
  assert.equal(revealAt, Date.parse('2026-11-11T05:00:00Z'));
  assert.equal(
    predictionId('holland', noon, projectionGenerator(60)),
    'holland-20261111T0400Z.pocket_projection_60m',
  );
  assert.equal(predictionKey('holland', 'state', revealAt), 'state:holland-20261111T0500Z');
});

test('forecasts of one outcome, made at different times, share a key', () => {
  const keys = HORIZONS.map((minutes) => {
    const sealed = noon - minutes * 60_000;
    return predictionKey('holland', 'state', revealTime(sealed, minutes));
  });
  assert.deepEqual(keys, Array(3).fill('state:holland-20261111T0400Z'));
});
