import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SLOT } from '../time/slot.ts';
import { trendOf } from './trend.ts';

const series = (calm: number[], stress: number[]) =>
  calm.map((value, i) => ({ slot: i * SLOT, calm: value, stress: stress[i] ?? 0 }));

test('the trend is that of the line fitted to the window', () => {
  const table = [
    [[0.4, 0.5, 0.6], [0.5, 0.4, 0.3], 'rising_calm', 0.2],
    [[0.6, 0.5, 0.4], [0.3, 0.4, 0.5], 'rising_stress', 0.2],
    [[0.5, 0.52, 0.5], [0.4, 0.39, 0.4], 'stable', 0],
    [[0.4, 0.5, 0.6], [0.3, 0.4, 0.5], 'mixed', 0.2],
    [[0.6, 0.5, 0.4], [0.4, 0.3, 0.2], 'mixed', 0.2],
    [[0.5, 0.545], [0.5, 0.5], 'stable', 0.045],
    [[0.5], [0.5], 'stable', 0],
    [[], [], 'stable', 0],
  ] as const;
  for (const [calm, stress, direction, magnitude] of table) {
    assert.deepEqual(trendOf(series([...calm], [...stress])), { direction, magnitude });
  }
});

test('a gap in the readings counts with its length', () => {
  const readings = [0, 1, 9, 10].map((i) => ({ slot: i * SLOT, calm: i / 20, stress: 0.3 }));
  assert.deepEqual(trendOf(readings), { direction: 'rising_calm', magnitude: 0.5 });
});
