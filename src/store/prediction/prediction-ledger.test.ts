import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { sqlitePlace } from '../../../test/support/stores/store-places.ts';
import type { Reader, Value } from '../engine/store.ts';
import { predictionLedger } from './prediction-ledger.ts';

test('a page of forecasts is read in the order of an index: nothing is sorted', async (t) => {
  const store = await openMigratedStore(t, sqlitePlace);
  const plans: string[] = [];
  const explaining: Reader = {
    ...store,
    all: async <T>(sql: string, ...params: Value[]) => {
      const steps = await store.all<{ detail: string }>(`explain query plan ${sql}`, ...params);
      plans.push(steps.map(({ detail }) => detail).join('; '));
      return [] as T[];
    },
  };
  for (const revealed of ['both', 'only'] as const)
    for (const pocket of [undefined, 'siglap'])
      for (const from of [undefined, { slot: 9, leaf: 9 }]) {
        const filter = { after: 0, until: 10, pocket, generator: undefined };
        await predictionLedger(explaining, filter, revealed, 50, from);
      }
  assert.equal(plans.length, 8);
  for (const plan of plans) assert.doesNotMatch(plan, /B-TREE/);
});
