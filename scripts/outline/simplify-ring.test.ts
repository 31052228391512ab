import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LngLat } from '../../src/domain/city/outline.ts';
import { simplifyRing } from './simplify-ring.ts';

describe('simplifyRing', () => {
  const coast: LngLat[] = [
    [0, 0],
    [1, 0.001],
    [2, 0],
    [2, 1],
    [1, 1.5],
    [0, 1],
    [0, 0],
  ];

  test('leaves out what is nearer than the tolerance to the line, and stays closed', () => {
    assert.deepEqual(
      simplifyRing(coast, 0.01),
      coast.filter(([, lat]) => lat !== 0.001),
    );
    assert.deepEqual(simplifyRing(coast, 0), coast);
  });

  test('an island that is smaller than the tolerance is left out', () => {
    assert.deepEqual(simplifyRing(coast, 5), []);
  });
});
