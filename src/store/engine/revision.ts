import { schemaNumber } from './schema-files.ts';
import type { Reader } from './store.ts';

/** By these a reader knows whether its cached answers are current. */
export interface Revision {
  /** Grows by one with every committed transaction, except those that raise the other. */
  revision: number;
  /** Grows by one with every committed transaction that only appended to the log. */
  log_revision: number;
  /** The slot of the newest reading. */
  slot: number | null;
  /** The number of the store's schema, and the lowest one of a program that can read it. */
  schema_number: number;
  readable_from: number;
}

export const noRevision: Revision = {
  ...{ revision: 0, log_revision: 0, slot: null },
  ...{ schema_number: schemaNumber, readable_from: 0 },
};

/** What a program may do with a store that a newer version has upgraded while it ran; undefined if none has. */
export function upgradeFault(
  { schema_number, readable_from }: Revision,
  own = schemaNumber,
): 'upgraded' | 'unreadable' | undefined {
  if (schema_number <= own) return undefined;
  return readable_from > own ? 'unreadable' : 'upgraded';
}

export async function readRevision(store: Reader): Promise<Revision> {
  const row = await store.get<Revision>(
    `select revision, log_revision, schema_number, readable_from, (select max(slot) from atmosphere_readings) as slot from store_revision`,
  );
  return row ?? noRevision;
}
