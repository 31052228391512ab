import type { Reader } from './store.ts';

/** Two values by which a reader knows whether its cached answers are current. */
export interface Revision {
  /** Grows by one with every committed transaction. */
  revision: number;
  /** The slot of the newest reading. */
  slot: number | null;
}

export async function readRevision(store: Reader): Promise<Revision> {
  const row = await store.get<Revision>(
    `select revision, (select max(slot) from atmosphere_readings) as slot from store_revision`,
  );
  return row ?? { revision: 0, slot: null };
}
