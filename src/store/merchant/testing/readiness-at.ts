import { type Readiness, type ReadinessRecord, readinessFrom } from '../../../domain/merchant/readiness.ts';
import type { Reader } from '../../engine/store.ts';

/** The readiness of every outlet at a slot. */
export async function readinessAt(store: Reader, slot: number): Promise<Readiness[]> {
  const rows = await store.all<ReadinessRecord>(
    'select * from merchant_readiness where slot = ? order by pocket_id, outlet_id',
    slot,
  );
  return rows.map(readinessFrom);
}
