import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { thousandthsOrWhole } from '../engine/thousandths.ts';
import { numberOutlets, numbersOfOutlets } from '../rows/outlet-numbers.ts';

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

type Activity = Pick<CountedOutlet, 'outlet_id' | 'activity'>;

/** The activity of the outlets that were measured at a slot: of these, or of all. */
export async function outletActivityAt(
  store: Reader,
  slot: number,
  outlets?: readonly string[],
): Promise<Activity[]> {
  const atSlot = 'select outlet_id, activity from counted_outlets where slot = ?';
  if (!outlets) return store.all<Activity>(atSlot, slot);
  const found: Activity[] = [];
  // By their numbers, as the key has them. By their ids PostgreSQL reads all outlets of the slot.
  for (const chunk of inClauseChunks(await numbersOfOutlets(store, outlets)))
    found.push(
      ...(await store.all<Activity>(`${atSlot} and outlet in (${inClause(chunk)})`, slot, ...chunk)),
    );
  return found;
}
