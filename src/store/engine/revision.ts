import { schemaNumber } from './schema-files.ts';
import type { Reader, Revision } from './store.ts';

export type { Revision } from './store.ts';

export const revisionColumns =
  'revision, log_revision, schema_number, readable_from, (select max(slot) from atmosphere_readings) as slot';

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
  if (store.revision) return store.revision();
  return (await store.get<Revision>(`select ${revisionColumns} from store_revision`)) ?? noRevision;
}
