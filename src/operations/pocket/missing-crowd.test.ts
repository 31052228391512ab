import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { sqlitePlace } from '../../../test/support/stores/store-places.ts';
import { cityZone } from '../../domain/time/zone.ts';
import { loadMissing } from './missing-crowd.ts';

const now = Date.parse('2026-11-11T04:00:00Z');

test('is looked up with a few steps for each pocket, however many are asked about', async (t) => {
  const store = await openMigratedStore(t, sqlitePlace);
  const city = smallCity(1);
  const [first] = city.pockets;
  assert.ok(first);
  const pockets = Array.from({ length: 400 }, (_, n) => ({ ...first, id: `pocket-${n}` }));
  let reads = 0;
  const asked = new Proxy(
    pockets.map(({ id }) => id),
    {
      get: (list, key) => {
        reads += 1;
        return Reflect.get(list, key);
      },
    },
  );
  const context = { store, registry: { ...city, pockets }, now, zone: cityZone(city.city) };
  const found = await loadMissing(context, asked);
  assert.deepEqual([...found.keys()], [...asked]);
  assert.ok(reads < 10 * pockets.length, `${reads} reads`);
});
