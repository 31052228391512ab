import { CURRENT_FOR } from '../../domain/decision/moment.ts';
import type { Reader } from '../engine/store.ts';

/** The newest activity of an outlet, for as long as a moment is current; null when none was counted. */
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
