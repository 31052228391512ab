import { inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { keyedInList } from '../rows/district-rows.ts';
import { packActivity, possibleFirsts } from '../rows/outlet-groups.ts';
import { numberOutlets, numbersOfOutlets } from '../rows/outlet-numbers.ts';

/** How busy an outlet was at a slot: the share of its usual capacity in use. */
export interface CountedOutlet {
  slot: number;
  outlet_id: string;
  activity: number;
}

/**
 * Of two measurements of one outlet at a slot the first is stored. An outlet is measured once for a slot: its district writes
 * a slot's signals in one transaction, once.
 */
export async function writeOutletActivity(tx: Transaction, counted: readonly CountedOutlet[]): Promise<void> {
  if (counted.length === 0) return;
  const first = new Map<string, CountedOutlet>();
  for (const one of counted) {
    const key = `${one.slot} ${one.outlet_id}`;
    if (!first.has(key)) first.set(key, one);
  }
  const numbers = await numberOutlets(
    tx,
    counted.map(({ outlet_id }) => outlet_id),
  );
  const measured = [...first.values()].flatMap(({ slot, outlet_id, activity }) => {
    const outlet = numbers.get(outlet_id);
    return outlet === undefined ? [] : [{ slot, outlet, activity }];
  });
  await tx.insert('outlet_activity', packActivity(measured));
}

type Activity = Pick<CountedOutlet, 'outlet_id' | 'activity'>;

/** The activity of the outlets that were measured at a slot: of these, or of all. */
export async function outletActivityAt(
  store: Reader,
  slot: number,
  outlets?: readonly string[],
): Promise<Activity[]> {
  if (!outlets)
    return store.all<Activity>('select outlet_id, activity from counted_outlets where slot = ?', slot);
  const wanted = new Set(outlets);
  const found: Activity[] = [];
  // By the first of their rows, as the key has it. By their ids PostgreSQL reads all outlets of the slot.
  for (const chunk of inClauseChunks(possibleFirsts(await numbersOfOutlets(store, outlets)))) {
    const { where, params } = keyedInList('slot', slot, 'first_outlet', chunk);
    found.push(
      ...(await store.all<Activity>(
        `select outlet_id, activity from counted_outlets where ${where}`,
        ...params,
      )),
    );
  }
  return found.filter(({ outlet_id }) => wanted.has(outlet_id));
}
