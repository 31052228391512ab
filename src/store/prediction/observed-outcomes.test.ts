import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingRow, snapshotRow } from '../../../test/support/rows/stored-rows.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { writePocketDistricts } from '../runtime/districts.ts';
import { type Extremes, extremesWithin } from './observed-outcomes.ts';

const START = Date.parse('2026-11-11T04:00:00Z');

/** Calm and rain in thousandths, slot by slot; no reading or no rain gauge where it is null. */
const observed: Record<string, { district: string; slots: ([calm: number, rain: number | null] | null)[] }> =
  {
    wet: {
      district: 'd1',
      slots: [
        [900, 0],
        [400, 1200],
        [600, 300],
        [100, 5000],
      ],
    },
    gaps: { district: 'd1', slots: [[800, null], null, [700, 0], null] },
    blind: {
      district: 'd1',
      slots: [
        [300, null],
        [500, null],
        [200, null],
        [900, null],
      ],
    },
    none: { district: 'd1', slots: [null, null, null, null] },
    other: { district: 'd2', slots: [[500, 100], [500, 100], null, null] },
  };

const expected: Record<string, Extremes> = {
  wet: { readings: 2, least_calm: 0.4, most_rain: 1.2 },
  gaps: { readings: 1, least_calm: 0.7, most_rain: 0 },
  blind: { readings: 2, least_calm: 0.2, most_rain: null },
  other: { readings: 1, least_calm: 0.5, most_rain: 0.1 },
};

describeStores('observed outcomes', (makePlace) => {
  test('the extremes of a window are the same of a district as of the whole city', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction(async (tx) => {
      const districts = Object.entries(observed).map(([pocket, { district }]) => [pocket, district] as const);
      await writePocketDistricts(tx, new Map(districts));
      for (const [pocket_id, { slots }] of Object.entries(observed))
        for (const [n, values] of slots.entries()) {
          if (!values) continue;
          const [calm_milli, rain_mm_milli] = values;
          const key = { slot: START + n * SLOT, pocket_id };
          await tx.insert('reading_figures', [{ ...key, ...readingRow, calm_milli }]);
          await tx.insert('env_snapshots', [{ ...key, ...snapshotRow, rain_mm_milli }]);
        }
    });
    const extremes = async (district?: string) =>
      Object.fromEntries(await extremesWithin(store, START, START + 2 * SLOT, district));
    const { other, ...rest } = expected;
    assert.deepEqual(await extremes(), expected);
    assert.deepEqual(await extremes('d1'), rest);
    assert.deepEqual(await extremes('d2'), { other });
    assert.deepEqual(await extremes('d3'), {});
  });
});
