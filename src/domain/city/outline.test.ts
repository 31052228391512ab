import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Box, clipRing, contains, type LngLat, outlineBox } from './outline.ts';

const square: LngLat[] = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];

describe('clipRing', () => {
  const cases: [what: string, box: Box, area: number][] = [
    ['a ring inside the box stays', [-1, -1, 5, 5], 16],
    ['a box inside the ring is all land', [1, 1, 3, 2], 2],
    ['a corner', [2, 3, 9, 9], 2],
    ['a strip across', [-1, 1, 9, 2], 4],
    ['nothing in common', [5, 5, 9, 9], 0],
  ];
  for (const [what, box, area] of cases)
    test(what, () => {
      const clipped = clipRing(square, box);
      assert.equal(ringArea(clipped), area);
      assert.deepEqual(clipped[0], clipped.at(-1));
    });

  test('any ring: the part inside is closed and in the box', () => {
    const point = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 9 }), (points) => {
        const [first] = points;
        const clipped = clipRing([...points, first] as LngLat[], [-4, -3, 5, 2]);
        assert.deepEqual(clipped[0], clipped.at(-1));
        for (const [lng, lat] of clipped)
          assert.ok(lng >= -4 && lng <= 5 && lat >= -3 && lat <= 2, `${lng} ${lat}`);
      }),
      { numRuns: 100 },
    );
  });
});

test('the box around pockets is as wide beyond them as their longer side', () => {
  const pockets = [
    { lat: 60, lng: 10 },
    { lat: 60.1, lng: 10.1 },
  ];
  const box = outlineBox(pockets);
  assert.deepEqual([box[1], box[3]], [59.9, 60.2]);
  // At 60° a degree of longitude is about half as wide.
  assert.ok(Math.abs(box[0] - 9.8) < 0.01 && Math.abs(box[2] - 10.3) < 0.01, `${box}`);
  assert.ok(contains(box, [10, 60, 10.1, 60.1]));
  assert.ok(!contains(box, [10, 59, 10.1, 60.1]));
  // One pocket alone still has a map of a few kilometres.
  assert.deepEqual(outlineBox([{ lat: 0, lng: 0 }]), [-0.03, -0.03, 0.03, 0.03]);
});

/** Gauss's area of a closed ring. */
function ringArea(ring: readonly LngLat[]): number {
  const doubled = ring.map(([x, y], at) => {
    const [nextX, nextY] = ring[at + 1] ?? [x, y];
    return x * nextY - nextX * y;
  });
  return Math.abs(doubled.reduce((sum, one) => sum + one, 0)) / 2;
}
