import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SLOT } from '../time/slot.ts';
import { computeTrend } from './trend.ts';

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
    [[0, 0, 1, 1], [0.3, 0.3, 0.3, 0.3], 'rising_calm', 1],
    [[0.9, 0.9, 0.1, 0.1], [0, 0, 1, 1], 'rising_stress', 1],
    [[0.5], [0.5], 'stable', 0],
    [[], [], 'stable', 0],
  ] as const;
  for (const [calm, stress, direction, magnitude] of table) {
    assert.deepEqual(computeTrend(series([...calm], [...stress])), { direction, magnitude });
  }
});

test('a gap in the readings counts with its length', () => {
  const readings = [0, 1, 9, 10].map((i) => ({ slot: i * SLOT, calm: i / 20, stress: 0.3 }));
  assert.deepEqual(computeTrend(readings), { direction: 'rising_calm', magnitude: 0.5 });
});

// Often at an end of the scale, where a fitted line leaves it.
const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const window = fc
  .uniqueArray(fc.record({ at: fc.nat(96), calm: share, stress: share }), {
    selector: ({ at }) => at,
    maxLength: 40,
  })
  .map((rows) =>
    rows.sort((a, b) => a.at - b.at).map(({ at, calm, stress }) => ({ slot: at * SLOT, calm, stress })),
  );

test('a trend never exceeds its scale, and agrees with its direction', () => {
  fc.assert(
    fc.property(window, (readings) => {
      const { direction, magnitude } = computeTrend(readings);
      assert.ok(magnitude >= 0 && magnitude <= 1, `${magnitude}`);
      // The magnitude is rounded, the direction is decided before that.
      assert.ok(direction === 'stable' ? magnitude <= 0.05 : magnitude >= 0.05);
    }),
  );
});

test('of readings on a line, the trend is the change from the first to the last', () => {
  fc.assert(
    fc.property(share, share, fc.integer({ min: 2, max: 40 }), (from, to, n) => {
      const calm = Array.from({ length: n }, (_, i) => from + ((to - from) * i) / (n - 1));
      const readings = calm.map((value, i) => ({ slot: i * SLOT, calm: value, stress: 0.5 }));
      assert.ok(Math.abs(computeTrend(readings).magnitude - Math.abs(to - from)) <= 0.0005 + 1e-9);
    }),
  );
});
