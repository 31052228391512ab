// A city of many districts in one slot that is newer than the statistics: what is read of one district.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordingReader, touchedCounter } from '../../../test/support/growth/touched-rows.ts';
import { readingRow, snapshotRow } from '../../../test/support/rows/stored-rows.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { judgedAt } from '../decision/verdicts.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { outletActivityAt, writeOutletActivity } from '../observation/outlet-activity.ts';
import { calmHalfHours } from '../observation/recent-half-hours.ts';
import { writePocketDistricts } from '../runtime/districts.ts';
import { keyedInDistrict, rowsAt, sealedInDistrict } from './district-rows.ts';

const START = Date.parse('2026-11-11T04:00:00Z');
const slots = [0, 1, 2].map((n) => START + n * HOUR);
const PER_DISTRICT = 50;
const pockets = Array.from({ length: 100 * PER_DISTRICT }, (_, n) => `p${String(n).padStart(5, '0')}`);
const districtOf = (n: number) => `d${Math.floor(n / PER_DISTRICT)}`;
/** Of each slot once, and the list of the district's pockets. */
const MOST_ROWS = (slots.length + 1) * PER_DISTRICT;

async function writeSlots(tx: Transaction, of: readonly number[]) {
  const each = of.flatMap((slot) => pockets.map((pocket_id, pocket) => ({ slot, pocket_id, pocket })));
  const keys = each.map(({ slot, pocket_id }) => ({ slot, pocket_id }));
  await tx.insert(
    'reading_figures',
    keys.map((key) => ({ ...key, ...readingRow, calm_milli: 500 })),
  );
  await tx.insert(
    'env_snapshots',
    keys.map((key) => ({ ...key, ...snapshotRow, rain_mm_milli: 200 })),
  );
  await tx.insert(
    'forecast_sets',
    each.map(({ slot, pocket }) => ({
      leaf: leafOf(slot, pocket),
      ...{ slot, confidences: 0, pocket, list: 1, completeness_milli: 1000 },
    })),
  );
  await tx.insert(
    'silence_figures',
    each.map(({ slot, pocket_id, pocket }) => ({
      ...{ leaf: leafOf(slot, pocket), slot, pocket_id, window_ms: HOUR, ...silenceRow },
    })),
  );
  for (const slot of of)
    await writeOutletActivity(
      tx,
      pockets.map((pocket_id) => ({ slot, outlet_id: `${pocket_id}-shop`, activity: 0.5 })),
    );
}

const leafOf = (slot: number, pocket: number) => (slot - START) / SLOT + 1_000_000 + pocket * 100;
const silenceRow = {
  ...{ candidate_confidence_milli: 700, legitimacy_score_milli: 49_800, usual_calm_milli: 300 },
  ...{ gate: 1, reason: 1, band: 1, near_miss: 0 },
};

const reads: Record<string, (store: Reader, district: string) => Promise<{ pocket_id: string }[]>> = {
  'rows at a slot': async (store, district) => {
    const readings = await rowsAt<{ calm: number }>(store, 'atmosphere_readings', 'calm', START, district);
    const measured = await rowsAt<{ rain_mm: number }>(store, 'snapshots', 'rain_mm', START, district);
    assert.ok([...readings.values()].every(({ calm }) => calm === 0.5));
    assert.ok([...measured.values()].every(({ rain_mm }) => rain_mm === 0.2));
    assert.deepEqual([...measured.keys()].sort(), [...readings.keys()].sort());
    return [...readings.keys()].map((pocket_id) => ({ pocket_id }));
  },
  'rows whose key begins with a slot': (store, district) => {
    const { where, params } = keyedInDistrict('r.slot', START, district, 'r.pocket_id');
    return store.all(`select r.pocket_id from atmosphere_readings r where ${where}`, ...params);
  },
  'forecasts that were sealed at some slots': async (store, district) => {
    const { where, params } = sealedInDistrict(slots, district);
    const found = await store.all<{ pocket_id: string; slot: number }>(
      `select p.pocket_id, p.slot from predictions p where ${where} and p.reveal_at > 0`,
      ...params,
    );
    assert.deepEqual(new Set(found.map(({ slot }) => slot)), new Set(slots));
    return found.filter(({ slot }) => slot === START);
  },
  'readings of the last half hours': (store, district) =>
    calmHalfHours(store, { after: START - SLOT, until: START }, district),
  'decisions that are judged': async (store, district) =>
    (await judgedAt(store, START + HOUR, district)).map(({ decision }) => decision),
  'outlets that were counted': async (store, district) => {
    const shops = pockets.filter((_, n) => districtOf(n) === district).map((id) => `${id}-shop`);
    const found = await outletActivityAt(store, START, district ? shops : undefined);
    return found.map(({ outlet_id }) => ({ pocket_id: outlet_id.slice(0, -'-shop'.length) }));
  },
};

describeStores('rows of a district', (makePlace, engine) => {
  test('are those of its pockets, and not read from all of the city', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction(async (tx) => {
      await writePocketDistricts(tx, new Map(pockets.map((id, n) => [id, districtOf(n)])));
      await tx.insert(
        'forecast_pockets',
        pockets.map((pocket_id, number) => ({ number, pocket_id })),
      );
      await tx.insert('forecast_lists', [
        { list: 1, place: 0, generator: 'g', prediction_type: 'state', horizon: HOUR, shadow: 0 },
      ]);
      // The statistics know older slots alone: a new one is always read before the next statistics are made.
      await writeSlots(tx, [START - HOUR, START - 2 * HOUR]);
    });
    await store.transaction((tx) => tx.run('analyze'));
    await store.transaction((tx) => writeSlots(tx, slots));

    for (const [what, read] of Object.entries(reads)) {
      const recording = recordingReader(store);
      const found = await read(recording, 'd7');
      const own = pockets.filter((_, n) => districtOf(n) === 'd7');
      assert.deepEqual(found.map(({ pocket_id }) => pocket_id).sort(), own, what);
      if (engine === 'postgres')
        for (const { rows } of await touchedCounter(store)(recording.statements))
          assert.ok(rows <= MOST_ROWS, `${what}: ${rows} rows`);
      else
        for (const { sql, params } of recording.statements)
          for (const { detail } of await store.all<{ detail: string }>(
            `explain query plan ${sql}`,
            ...params,
          ))
            assert.doesNotMatch(
              detail,
              /^(SCAN (?!given$|places$|CONSTANT ROW$|\d)|SEARCH .*\(slot=\?\))/,
              `${what}: ${detail}`,
            );
      assert.equal((await read(store, '')).length, pockets.length, what);
    }
  });
});
