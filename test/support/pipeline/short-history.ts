// A first history of a few hours, for tests of processes that need one but not days of it.
import { HOUR, SLOT, slotOf } from '../../../src/domain/time/slot.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import { beginHistory } from '../../../src/store/runtime/history.ts';
import { recordRuns } from '../../../src/store/runtime/job-runs.ts';
import type { StorePlace } from '../stores/store-places.ts';

/** Leaves the store as a run that was stopped `hours` ago: the next one resumes there. */
export async function beginShortHistory(place: StorePlace, hours = 5): Promise<void> {
  const store = openStore(place);
  const now = Date.now();
  const from = slotOf(now) - hours * HOUR;
  try {
    await migrate(store, now);
    await store.transaction(async (tx) => {
      await beginHistory(tx, { from, until: slotOf(now), now });
      await recordRuns(tx, [{ name: 'atmosphere' }], from - SLOT, 'test');
    });
  } finally {
    await store.close();
  }
}
