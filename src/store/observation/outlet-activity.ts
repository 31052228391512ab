import type { Reader } from '../engine/store.ts';

/** The activity of every outlet that was measured at a slot. */
export const outletActivityAt = (
  store: Reader,
  slot: number,
): Promise<{ outlet_id: string; activity: number }[]> =>
  store.all('select outlet_id, activity from outlet_activity where slot = ?', slot);
