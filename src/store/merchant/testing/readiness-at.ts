import { type Readiness, type ReadinessRecord, readinessFrom } from '../../../domain/merchant/readiness.ts';
import type { Reader } from '../../engine/store.ts';
import { readinessRecordsAt } from '../readiness.ts';

/** The readiness of every outlet at a slot. */
export const readinessAt = async (store: Reader, slot: number): Promise<Readiness[]> =>
  (await readinessRecordsAt(store, slot)).map(readinessFrom);

/** What was stored at every slot, oldest first. */
export async function allReadiness(store: Reader): Promise<ReadinessRecord[]> {
  const slots = await store.all<{ slot: number }>('select distinct slot from readiness_packs order by slot');
  const records = [];
  for (const { slot } of slots) records.push(await readinessRecordsAt(store, slot));
  return records.flat();
}
