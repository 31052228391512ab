import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { MINUTE } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import type { Outlet } from './city.ts';
import { outletCounts, pocketOutlets } from './pocket-outlets.ts';

const [first] = loadRegistry(cityDir('singapore')).outlets;
const outlet = (n: number, opens_at: string, closes_at: string, active = true): Outlet => ({
  ...(first ?? assert.fail()),
  ...{ id: `${n}`, pocket_id: 'tiongbahru', opens_at, closes_at, active },
});
const outlets = [
  ...[1, 2, 3, 4].map((n) => outlet(n, '09:00', '18:00')),
  outlet(5, '12:00', '12:40'),
  outlet(6, '09:00', '18:00', false),
  { ...outlet(7, '09:00', '18:00'), pocket_id: 'siglap' },
];
const noon = Date.parse('2026-11-11T12:00:00+08:00');
const countsAt = (minutes: number, pocket = 'tiongbahru') =>
  Object.values(outletCounts(pocketOutlets(outlets, pocket, noon + minutes * MINUTE, singapore)));

test('active outlets are counted, and those open through the quarter hour; fewer than five are not told', () => {
  assert.deepEqual(countsAt(0), [5, 5]);
  assert.deepEqual(countsAt(29), [5, 5]);
  // It closes within this quarter hour: four remain.
  assert.deepEqual(countsAt(30), [5, null]);
  assert.deepEqual(countsAt(-1), [5, null]);
  assert.deepEqual(countsAt(12 * 60), [5, null]);
  assert.deepEqual(countsAt(0, 'siglap'), [1, null]);
  assert.deepEqual(countsAt(0, 'atlantis'), [0, null]);
});
