// The rollups of a day as sums over their keys, so that a verifier can compare them with what the log adds up to.
import { FINE_TIME, PERIOD } from '../../domain/stats/rollup.ts';
import { DAY } from '../../domain/time/slot.ts';
import type { Reader, Row } from '../engine/store.ts';
import { rowArrays, type TableRows } from '../ledger/table-rows.ts';
import { type RollupEnds, rollupEnds } from './stored-totals.ts';
import { ALL_POCKETS, isByPocket, rollups, storedSums } from './tables.ts';

/** With more pockets than this the rows of single pockets are not added up for a verifier: those of all together are. */
const MOST_POCKETS = 200;

/**
 * For every half hour with totals that ends within the UTC day that begins at `day`, oldest first: what each table has of all pockets
 * together, and (`…_by_pocket`) what it has of the single ones. The first column is `period_end`.
 */
export async function rollupTotals(store: Reader, day: number): Promise<Record<string, TableRows>> {
  const found: Record<string, TableRows> = {};
  const hasFew = await hasFewPockets(store, day);
  for (const table of rollups) {
    const sums = storedSums(table).map((sum) => `sum(${sum}) as ${sum}`);
    const totals = async (which: string): Promise<TableRows | undefined> => {
      const rows = await store.all<Row>(
        `select period_end, ${sums.join(', ')} from ${table.name}
         where period_end > ? and period_end <= ?${which} group by period_end order by period_end`,
        day,
        day + DAY,
      );
      return rows[0] && rowArrays(rows);
    };
    const all = await totals(isByPocket(table) ? ` and pocket_id = '${ALL_POCKETS}'` : '');
    if (all) found[table.name] = all;
    const single = isByPocket(table) && hasFew && (await totals(` and pocket_id <> '${ALL_POCKETS}'`));
    if (single) found[`${table.name}_by_pocket`] = single;
  }
  return found;
}

async function hasFewPockets(store: Reader, day: number): Promise<boolean> {
  const rows = await store.all(
    `select pocket_id from rollup_pockets
     where period_end = (select max(period_end) from rollup_pockets where period_end <= ?) limit ?`,
    day + DAY,
    MOST_POCKETS + 2,
  );
  return rows.length <= MOST_POCKETS + 1;
}

/** `totals`: from the first to the last half hour that any table has; `rollups`: of those, the ones that every table has. */
export async function servedEnds(store: Reader): Promise<Record<'rollups' | 'totals', RollupEnds>> {
  const totals = await rollupEnds(store);
  const { first, last } = totals;
  // Verifiers of 1.0.0 know `rollups` alone, and expect every half hour of it in every table.
  const isRolledUp = first !== null && last !== null;
  return {
    rollups: isRolledUp ? { first: Math.max(first, last - FINE_TIME + PERIOD), last } : totals,
    totals,
  };
}
