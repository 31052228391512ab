// Compares the rollups, which figures of days, weeks and months are read from, with what the log adds up to: at the end
// of every half hour that they have, over all pockets.

import { LedgerFault } from '../fault.ts';
import { parseJson, rowsAt, valueAt } from '../figures/served.ts';
import { ROLLUP_COLUMNS, type SlotSums, sumAt } from '../figures/slot-sums.ts';
import type { FetchBytes } from '../source.ts';

const HALF_HOUR = 30 * 60_000;
const DAY = 24 * 60 * 60_000;
const MAX_TOTALS = 4_000_000;
/** The same tables, added up over the rows of single pockets. */
const BY_POCKET = '_by_pocket';
/**
 * Tables that need not have every half hour: figures are counted from the rows where one is not there. All of them have
 * the same ones, so that the rows of one table alone are missed.
 */
const DAILY = ['rollup_forecasts', 'rollup_calm'];

/** The first and the last half hour that is rolled up, by its end in epoch milliseconds. */
export interface RollupEnds {
  first: number;
  last: number;
}

/** As the service tells them; undefined where nothing is rolled up. The service controls all of it. */
export function rollupEnds(bytes: Uint8Array): RollupEnds | undefined {
  const ends = parseJson(bytes);
  // A service of 1.0.0 has every half hour in every table, and `rollups` alone.
  const told = valueAt(ends, 'totals') ?? valueAt(ends, 'rollups');
  const [first, last] = [valueAt(told, 'first'), valueAt(told, 'last')];
  const isEnd = (end: unknown): end is number => Number.isSafeInteger(end) && Number(end) % HALF_HOUR === 0;
  return isEnd(first) && isEnd(last) ? { first, last } : undefined;
}

/** Says of the first sum that differs which one it is and what both values are; undefined if none does. */
export async function wrongTotals(
  fetch: FetchBytes,
  { first, last }: RollupEnds,
  sums: SlotSums,
  isWakingKnown: boolean,
): Promise<string | undefined> {
  const before = sums.running();
  let end = first;
  for (let day = dayBefore(first); day < last; day += DAY) {
    const totals = await fetchTotals(fetch, day);
    for (; end <= last && end <= day + DAY; end += HALF_HOUR) {
      const wrong = wrongPeriod(totals, end, before(end / 1000), isWakingKnown);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

/** The UTC day whose half hours end after its beginning. */
const dayBefore = (end: number): number => Math.floor((end - 1) / DAY) * DAY;

type Totals = Map<string, Map<unknown, Record<string, unknown>>>;

async function fetchTotals(fetch: FetchBytes, day: number): Promise<Totals> {
  const path = `totals/${new Date(day).toISOString().slice(0, 10)}`;
  const bytes = await fetch(path, MAX_TOTALS);
  if (bytes === undefined) throw new LedgerFault('unavailable', `nothing at ${path}`);
  const tables = valueAt(parseJson(bytes), 'tables');
  const totals: Totals = new Map();
  for (const name of Object.keys(Object(tables))) {
    const columns = rowsAt(valueAt(tables, name), 'columns').map(String);
    const rows = rowsAt(valueAt(tables, name), 'rows').map((row): [unknown, Record<string, unknown>] => {
      const values = Array.isArray(row) ? row : [];
      return [values[0], Object.fromEntries(columns.map((column, at) => [column, values[at]]))];
    });
    totals.set(name, new Map(rows));
  }
  return totals;
}

function wrongPeriod(
  totals: Totals,
  end: number,
  computed: Float64Array,
  isWakingKnown: boolean,
): string | undefined {
  const isKept = DAILY.flatMap((table) => [table, table + BY_POCKET]).some((name) =>
    totals.get(name)?.has(end),
  );
  for (const [table, columns] of Object.entries(ROLLUP_COLUMNS)) {
    if (DAILY.includes(table) && !isKept) continue;
    for (const name of totals.has(table + BY_POCKET) ? [table, table + BY_POCKET] : [table]) {
      const served = totals.get(name)?.get(end);
      for (const column of columns) {
        if (!isWakingKnown && column.startsWith('waking_')) continue;
        const sum = sumAt(computed, `${table}.${column}`);
        const given = served?.[column] ?? 0;
        if (given === sum) continue;
        const which = name === table ? '' : ' of single pockets';
        return `${table}.${column}${which} up to ${new Date(end).toISOString()} is ${JSON.stringify(given)}, but the rows give ${sum}`;
      }
    }
  }
  return undefined;
}
