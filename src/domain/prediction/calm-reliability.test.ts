import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNIT } from '../stats/rollup.ts';
import { type CalmRow, calmReliability } from './calm-reliability.ts';

/** Forecasts of one tenth. */
const row = (
  tenth: number,
  stated: readonly number[],
  calm: number,
  more: Partial<CalmRow> = {},
): CalmRow => ({
  generator: 'pocket_projection_60m',
  waking: 1,
  tenth,
  forecasts: stated.length,
  calm,
  probability: stated.reduce((sum, probability) => sum + Math.round(probability * UNIT), 0),
  ...more,
});
const none = { n: 0, stated: null, was_calm: null };

test('the worked example of docs/formulas.md', () => {
  const [hour] = calmReliability([row(9, [0.92, 0.96, 1], 2)]);
  const figures = { n: 3, stated: 0.96, was_calm: 0.667 };
  assert.deepEqual(hour?.tenths[9], { from: 0.9, ...figures, waking_hours: figures });
});

test('each horizon that has forecasts, all ten tenths, waking hours apart', () => {
  const horizons = calmReliability([
    row(0, [0.04], 0, { generator: 'pocket_projection_180m' }),
    row(3, [0.3, 0.34], 1),
    row(3, [0.38, 0.38], 0, { waking: 0 }),
    row(9, [0.95], 1, { generator: 'quiet_window_60m' }),
  ]);
  assert.deepEqual(
    horizons.map(({ horizon_minutes, tenths }) => [horizon_minutes, tenths.length]),
    [
      [60, 10],
      [180, 10],
    ],
  );
  assert.deepEqual(
    horizons[0]?.tenths.filter(({ n }) => n > 0),
    [
      {
        from: 0.3,
        ...{ n: 4, stated: 0.35, was_calm: 0.25 },
        waking_hours: { n: 2, stated: 0.32, was_calm: 0.5 },
      },
    ],
  );
  assert.deepEqual(horizons[1]?.tenths[0]?.was_calm, 0);
  assert.deepEqual(horizons[1]?.tenths[1], { from: 0.1, ...none, waking_hours: none });
  assert.deepEqual(calmReliability([]), []);
});
