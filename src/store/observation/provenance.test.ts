import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import type { Snapshot } from '../../domain/signals/snapshot.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { writeSnapshots } from './snapshots.ts';
import { substrateTraceAt } from './substrate-trace.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const snapshot = (n: number, slot: number): Snapshot => ({
  pocket_id: n === 0 ? '__proto__' : `p${n}`,
  slot,
  values: {
    ...{ rain_mm: 0, temperature_c: null, humidity_pct: null, pm25: null, footfall: null },
    ...{ transit_crowding: null, traffic_speed_kmh: null, carpark_occupancy: null },
  },
  crowd: 0.5,
  crowd_gap: null,
  completeness: 0.5,
  provenance: [
    {
      fresh: true,
      kind: 'rain_mm',
      source: `gauge ${n} "荷兰村"`,
      observed_at: slot - n * 1000,
      received_at: slot - 500,
    },
    { fresh: true, kind: 'crowd', source: 'door a', observed_at: slot - 60_000, received_at: slot - 1000 },
    { fresh: true, kind: 'crowd', source: 'door b', observed_at: slot - 61_000, received_at: slot },
  ],
});

describeStores('provenance', (makePlace) => {
  test('of each of many snapshots is read back as it was written', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const slots = [noon, noon + SLOT];
    const snapshots = slots.flatMap((slot) => Array.from({ length: 600 }, (_, n) => snapshot(n, slot)));
    await store.transaction((tx) => writeSnapshots(tx, snapshots, 'live'));
    const packs = await store.get<{ n: number }>('select count(*) as n from provenance_packs');
    assert.equal(packs?.n, 6);
    for (const written of snapshots.filter((_, n) => n % 97 === 0 || n === 600)) {
      const { snapshot: read } = await substrateTraceAt(store, written.pocket_id, written.slot);
      assert.deepEqual(
        read?.provenance,
        written.provenance.map(({ fresh: _, ...signal }) => signal),
      );
    }
  });

  test('of a snapshot of 1.0 is the text in its row', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction((tx) =>
      tx.insert('env_snapshots', [
        {
          ...{ slot: noon, pocket_id: 'p', rain_mm_milli: 1000, completeness_milli: 1000, substrate: 2 },
          provenance: '{"rain_mm":["gauge",-82,-25],"crowd":[["door",-60,-1]]}',
        },
      ]),
    );
    const { snapshot: read } = await substrateTraceAt(store, 'p', noon);
    assert.deepEqual(read?.provenance, [
      { kind: 'rain_mm', source: 'gauge', observed_at: noon - 82_000, received_at: noon - 25_000 },
      { kind: 'crowd', source: 'door', observed_at: noon - 60_000, received_at: noon - 1000 },
    ]);
  });
});
