import type { Reader } from './store.ts';

/** Grows with every committed write; the slot is that of the newest reading. */
export interface Revision {
  revision: number;
  slot: number | null;
}

export async function readRevision(store: Reader): Promise<Revision> {
  const row = await store.get<Revision>(
    `select revision, (select max(slot) from atmosphere_readings) as slot from store_revision`,
  );
  return row ?? { revision: 0, slot: null };
}
