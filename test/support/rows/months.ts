// Raw signals of some months in a store of PostgreSQL, as if it had been made that long ago.

import type { Store } from '../../../src/store/engine/store.ts';
import { signalTables } from '../../../src/store/observation/signal-retention.ts';
import { partitionName, startOfMonth } from '../../../src/store/schema/partitions.ts';

/** A row of each table. */
const sample = (slot: number) => ({
  env_snapshots: { slot, pocket_id: 'a', completeness_milli: 1_000, substrate: 1, provenance: 'a' },
  provenance_packs: { slot, name: 'a', provenance: new Uint8Array(1) },
  outlet_activity: { slot, first_outlet: 1, shares: 501 },
  citizen_senses: { slot, pocket_id: 'a', word: 1, people: 5, source: 'o' },
});

export const writeSignals = (store: Store, slots: readonly number[]): Promise<void> =>
  store.transaction(async (tx) => {
    for (const table of signalTables)
      await tx.insert(
        table,
        slots.map((slot) => sample(slot)[table]),
      );
  });

/** Partitions for each of so many months before this one; the tables must have no rows. */
export async function makePastMonths(store: Store, count: number): Promise<void> {
  const now = await store.clock();
  const add = (table: string, from: number, until: number) =>
    `create table ${partitionName(table, from)} partition of ${table}
     for values from (${from === -Infinity ? 'minvalue' : from}) to (${until})`;
  await store.transaction(async (tx) => {
    for (const table of signalTables) {
      await tx.run(`drop table ${table}_older`);
      await tx.run(add(table, -Infinity, startOfMonth(now, -count)));
      for (let n = -count; n <= 0; n += 1)
        await tx.run(add(table, startOfMonth(now, n), startOfMonth(now, n + 1)));
    }
  });
}
