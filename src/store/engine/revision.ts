import type { Reader } from './store.ts';

/** By these a reader knows whether its cached answers are current. */
export interface Revision {
  /** Grows by one with every committed transaction, except those that raise the other. */
  revision: number;
  /** Grows by one with every committed transaction that only appended to the log. */
  log_revision: number;
  /** The slot of the newest reading. */
  slot: number | null;
}

export async function readRevision(store: Reader): Promise<Revision> {
  const row = await store.get<Revision>(
    `select revision, log_revision, (select max(slot) from atmosphere_readings) as slot from store_revision`,
  );
  return row ?? { revision: 0, log_revision: 0, slot: null };
}
