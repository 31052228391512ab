import type { Reader, Transaction } from '../engine/store.ts';
import { thousandthsOrWhole } from '../engine/thousandths.ts';
import { numberOutlets } from '../rows/outlet-numbers.ts';

/** How busy an outlet was at a slot: the share of its usual capacity in use. */
export interface CountedOutlet {
  slot: number;
  outlet_id: string;
  activity: number;
}

/** Of two measurements of one outlet at a slot the first is stored. */
export async function writeOutletActivity(tx: Transaction, counted: readonly CountedOutlet[]): Promise<void> {
  if (counted.length === 0) return;
  const numbers = await numberOutlets(
    tx,
    counted.map(({ outlet_id }) => outlet_id),
  );
  await tx.insert(
    'outlet_activity',
    counted.map(({ slot, outlet_id, activity }) => ({
      slot,
      outlet: numbers.get(outlet_id) ?? null,
      ...thousandthsOrWhole('activity', activity),
    })),
    'on conflict (slot, outlet) do nothing',
  );
}

/** The activity of every outlet that was measured at a slot. */
export const outletActivityAt = (
  store: Reader,
  slot: number,
): Promise<{ outlet_id: string; activity: number }[]> =>
  store.all('select outlet_id, activity from counted_outlets where slot = ?', slot);
