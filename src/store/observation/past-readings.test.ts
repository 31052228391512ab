import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordingReader, touchedCounter } from '../../../test/support/growth/touched-rows.ts';
import { readingRow, snapshotRow } from '../../../test/support/rows/stored-rows.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { writePocketDistricts } from '../runtime/districts.ts';
import { pastReadings } from './past-readings.ts';

const START = Date.parse('2026-11-11T04:00:00Z');
const slots = Array.from({ length: 4 }, (_, n) => START + n * SLOT);
const PER_DISTRICT = 100;
const pockets = Array.from({ length: 40 * PER_DISTRICT }, (_, n) => `p${String(n).padStart(5, '0')}`);
const districtOf = (n: number) => `d${Math.floor(n / PER_DISTRICT)}`;

const rows = slots.flatMap((slot) => pockets.map((pocket_id) => ({ slot, pocket_id })));
const reading = { ...readingRow, calm_milli: 500 };
const snapshot = { ...snapshotRow, rain_mm_milli: 200 };

describeStores('past readings', (makePlace, engine) => {
  test('of a district are those of its pockets with what was measured, and read few rows of others', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction(async (tx) => {
      await writePocketDistricts(tx, new Map(pockets.map((id, n) => [id, districtOf(n)])));
      // The statistics know these rows alone: new slots are always read before the next statistics are made.
      await tx.insert('reading_figures', [{ ...reading, slot: START - SLOT, pocket_id: 'p00000' }]);
      await tx.insert('env_snapshots', [{ ...snapshot, slot: START - SLOT, pocket_id: 'p00000' }]);
    });
    await store.transaction((tx) => tx.run('analyze'));
    await store.transaction(async (tx) => {
      await tx.insert(
        'reading_figures',
        rows.map((row) => ({ ...row, ...reading })),
      );
      await tx.insert(
        'env_snapshots',
        rows.map((row) => ({ ...row, ...snapshot })),
      );
    });

    const recording = recordingReader(store);
    const found = await pastReadings(recording, slots.slice(1), 'd7');
    assert.equal(found.length, 3 * PER_DISTRICT);
    assert.deepEqual(
      found.map(({ slot }) => slot),
      found.map(({ slot }) => slot).sort((a, b) => a - b),
    );
    assert.ok(found.every(({ pocket_id }) => districtOf(pockets.indexOf(pocket_id)) === 'd7'));
    assert.deepEqual(
      { ...found[0] },
      {
        ...{ slot: slots[1], pocket_id: 'p00700', calm: 0.5, primary_state: 'calm-productive' },
        ...{ rain_mm: 0.2, crowd: null, transit_crowding: null },
      },
    );
    assert.deepEqual((await pastReadings(store, slots.slice(0, 1))).length, pockets.length);
    assert.deepEqual(await pastReadings(store, []), []);

    if (engine === 'postgres')
      // A look-up of each pocket in each partition counts as a row.
      for (const { rows } of await touchedCounter(store)(recording.statements))
        assert.ok(rows <= 6 * PER_DISTRICT, `${rows} rows`);
  });
});
