// A first history of a few hours, for tests of processes that need one but not days of it.

import type { Reading } from '../../../src/domain/atmosphere/reading.ts';
import { HOUR, slotStart } from '../../../src/domain/time/slot.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import { writeReadings } from '../../../src/store/observation/readings.ts';
import { beginHistory } from '../../../src/store/runtime/history.ts';
import { recordRuns } from '../../../src/store/runtime/job-runs.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import type { StorePlace } from '../stores/store-places.ts';

const HOURS = 5;

/** Leaves the store as a run that was stopped some hours before `now`: the next one resumes there. */
export async function beginShortHistory(place: StorePlace, now = Date.now()): Promise<void> {
  const store = openStore(place);
  const from = slotStart(now) - HOURS * HOUR;
  const reading: Reading = {
    ...{ slot: from, pocket_id: 'holland', stress: 0.3, calm: 0.7, social_energy: 0.2, productive: 0.3 },
    ...{ primary_state: 'calm-restful', anomaly_flag: false, completeness: 1 },
  };
  try {
    await migrate(store, now);
    await store.transaction(async (tx) => {
      await beginHistory(tx, { from, until: slotStart(now), now });
      await recordRuns(tx, [{ name: 'atmosphere' }], from, 'test');
      await writeReadings(tx, [reading]);
    });
  } finally {
    await store.close();
  }
}
