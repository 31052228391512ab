import { CURRENT_FOR } from '../../domain/decision/moment.ts';
import type { Reader } from '../engine/store.ts';

/** The newest activity (share of capacity in use) of an outlet, if it is as recent as a current moment; else null. */
export async function currentOutletActivity(
  store: Reader,
  outlet: string,
  now: number,
): Promise<number | null> {
  const row = await store.get<{ activity: number }>(
    `select activity from outlet_activity where outlet_id = ? and slot > ? and slot <= ?
     order by slot desc limit 1`,
    outlet,
    now - CURRENT_FOR,
    now,
  );
  return row?.activity ?? null;
}

/** The activity of every outlet that was measured at a slot. */
export const outletActivityAt = (
  store: Reader,
  slot: number,
): Promise<{ outlet_id: string; activity: number }[]> =>
  store.all('select outlet_id, activity from outlet_activity where slot = ?', slot);
