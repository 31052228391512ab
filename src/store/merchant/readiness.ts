import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import { type Readiness, type ReadinessRecord, readinessFrom } from '../../domain/merchant/readiness.ts';
import type { Reader, Transaction } from '../engine/store.ts';

const columns = 'slot, pocket_id, outlet_id, cause, confidence, idle_pressure';

export const writeReadiness = (tx: Transaction, records: readonly ReadinessRecord[]): Promise<void> =>
  tx.insert(
    'merchant_readiness',
    records.map(({ slot, pocket_id, outlet_id, cause, confidence, idle_pressure }) => ({
      ...{ slot, pocket_id, outlet_id, cause, confidence, idle_pressure },
    })),
  );

/** The readiness of a pocket's outlets at the newest slot; none when that is older than `CURRENT_FOR`. */
export async function latestReadiness(store: Reader, pocket: string, now: number): Promise<Readiness[]> {
  const rows = await store.all<ReadinessRecord>(
    `select ${columns} from merchant_readiness
     where slot = (select max(slot) from merchant_readiness where slot > ? and slot <= ?) and pocket_id = ?
     order by outlet_id`,
    now - CURRENT_FOR,
    now,
    pocket,
  );
  return rows.map(readinessFrom);
}
