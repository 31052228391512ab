import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { vindicationSumsByPocket } from './sustainability.ts';

describeStores('minutes of attention', (makePlace) => {
  test('are added up as whole numbers: 0.1, 0.2 and 0.3 are 0.6', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const verdict = (leaf: number, attention_hundredths: number, served: number | null) => ({
      ...{ leaf, slot: leaf * SLOT, window_ms: SLOT, attention_hundredths, spoke: 0, served },
      ...{ reason: 1, outcome: served === null ? 6 : 2, pocket_id: 'holland' },
    });
    const verdicts = [verdict(1, 10, 0), verdict(2, 20, 0), verdict(3, 30, 0), verdict(4, 0, null)];
    await store.transaction((tx) => tx.insert('verdict_figures', verdicts));
    const [sums, ...others] = await vindicationSumsByPocket(store, { after: 0, until: 9 * SLOT });
    assert.deepEqual({ ...sums }, { pocket_id: 'holland', judged: 3, vindicated: 3, minutes: 0.6 });
    assert.deepEqual(others, []);
  });
});
