// What changed within the hour of moments at which it was spoken or not, and how the two compare.

import type { Compared } from '../../domain/stats/comparison-words.ts';
import type { Cell, Comparison, OutcomeSums } from '../../domain/stats/matched-comparison.ts';
import { HOUR } from '../../domain/time/slot.ts';
import type { Span } from '../../domain/time/window.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { spanInDistrict } from '../rows/district-rows.ts';

interface HourChange {
  pocket_id: string;
  primary_state: string;
  spoke: 0 | 1;
  calm_n: number;
  calm_sum: number;
  calm_squares: number;
  use_n: number;
  use_sum: number;
  use_squares: number;
}

const changeSums = (what: Compared, change: string): string =>
  `count(${change}) as ${what}_n, coalesce(sum(${change}), 0) as ${what}_sum,
   coalesce(sum((${change}) * (${change})), 0) as ${what}_squares`;

/** Sums over the moments of a district and a few hours, whose next hour is over. */
function hourChanges(store: Reader, span: Span, district: string): Promise<HourChange[]> {
  const { where, params } = spanInDistrict('', span, district);
  return store.all<HourChange>(
    `select d.pocket_id, r.primary_state, d.spoke,
       ${changeSums('calm', 'later.calm - r.calm')}, ${changeSums('use', 'm.spare_capacity - next.spare_capacity')}
     from (select slot, pocket_id, 1 as spoke from packages where ${where}
       union all select slot, pocket_id, 0 as spoke from silences where ${where}) d
     join atmosphere_readings r on ${sameSlotAndPocket('r', 'd')}
     join moments m on ${sameSlotAndPocket('m', 'd')}
     left join atmosphere_readings later on later.slot = d.slot + ${HOUR} and later.pocket_id = d.pocket_id
     left join moments next on next.slot = d.slot + ${HOUR} and next.pocket_id = d.pocket_id
     group by d.pocket_id, r.primary_state, d.spoke`,
    ...[...params, ...params],
  );
}

/** Adds the sums of one part of a day. */
export async function writeHourChanges(
  tx: Transaction,
  day: number,
  part: string,
  span: Span,
  district: string,
): Promise<void> {
  const rows = await hourChanges(tx, span, district);
  await tx.insert(
    'hour_changes',
    rows.map((row) => ({ slot: day, part, ...row })),
  );
}

/** The cells of like moments of each of some pockets, over the days from `from` up to `to`. */
export async function comparisonCells(
  store: Reader,
  pockets: readonly string[],
  { from, to }: Span,
): Promise<Map<string, Record<Compared, Cell[]>>> {
  const cells = new Map<string, Map<string, HourChange[]>>();
  for (const chunk of inClauseChunks(pockets)) {
    const rows = await store.all<HourChange & { part: string }>(
      `select pocket_id, part, primary_state, spoke, sum(calm_n) as calm_n, sum(calm_sum) as calm_sum,
         sum(calm_squares) as calm_squares, sum(use_n) as use_n, sum(use_sum) as use_sum,
         sum(use_squares) as use_squares
       from hour_changes where pocket_id in (${inClause(chunk)}) and slot >= ? and slot < ?
       group by pocket_id, part, primary_state, spoke`,
      ...chunk,
      from,
      to,
    );
    for (const row of rows) {
      const own = cells.get(row.pocket_id) ?? new Map<string, HourChange[]>();
      cells.set(row.pocket_id, own);
      const key = `${row.part} ${row.primary_state}`;
      own.set(key, [...(own.get(key) ?? []), row]);
    }
  }
  return new Map(
    [...cells].map(([pocket, own]) => {
      const of = (what: Compared) => [...own.values()].map((rows) => comparisonCell(what, rows));
      return [pocket, { calm: of('calm'), use: of('use') }];
    }),
  );
}

function comparisonCell(what: Compared, rows: readonly HourChange[]): Cell {
  const group = (spoke: 0 | 1): OutcomeSums => {
    const row = rows.find((one) => one.spoke === spoke);
    if (!row) return { n: 0, sum: 0, squares: 0 };
    return { n: row[`${what}_n`], sum: row[`${what}_sum`], squares: row[`${what}_squares`] };
  };
  return { treated: group(1), control: group(0) };
}

export type SilenceComparison = { pocket_id: string } & Record<Compared, Comparison>;

export const writeComparisons = (
  tx: Transaction,
  slot: number,
  comparisons: readonly SilenceComparison[],
): Promise<void> =>
  tx.insert(
    'silence_comparisons',
    comparisons.map(({ pocket_id, calm, use }) => ({
      ...{ slot, pocket_id },
      ...{ calm_pairs: calm.pairs, calm_difference: calm.difference, calm_error: calm.standard_error },
      ...{ use_pairs: use.pairs, use_difference: use.difference, use_error: use.standard_error },
    })),
  );

const columns = (what: Compared): string =>
  `${what}_pairs as pairs, ${what}_difference as difference, ${what}_error as standard_error`;

/** The newest comparison of a pocket; null before the first. */
export async function newestComparison(
  store: Reader,
  what: Compared,
  pocket: string,
  now: number,
): Promise<Comparison | null> {
  const row = await store.get<Comparison>(
    `select ${columns(what)} from silence_comparisons
     where pocket_id = ? and slot <= ? order by slot desc limit 1`,
    pocket,
    now,
  );
  return row ? { pairs: row.pairs, difference: row.difference, standard_error: row.standard_error } : null;
}

/** The newest comparisons of all pockets. */
export const newestComparisons = (store: Reader, what: Compared, now: number): Promise<Comparison[]> =>
  store.all<Comparison>(
    `select ${columns(what)} from silence_comparisons
     where slot = (select max(slot) from silence_comparisons where slot <= ?) order by pocket_id`,
    now,
  );
