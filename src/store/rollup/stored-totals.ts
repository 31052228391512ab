// Reads stored running totals for the ends of spans. A table has those of every half hour; one that keeps days alone of
// what is older has those of the half hours that are left in it.
import { PERIOD, wholePeriods } from '../../domain/stats/rollup.ts';
import type { Span } from '../../domain/time/window.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Row, Value } from '../engine/store.ts';
import { ALL_POCKETS, type AnyRollup, isByPocket, storedSums } from './tables.ts';

/** Which sums, grouped by which keys, of which rows. */
export interface RollupQuery<Key extends object, K extends keyof Key, S extends string> {
  by: readonly K[];
  sums: readonly S[];
  /** A key that is left out or undefined may have any value. */
  only?: { [key in keyof Key]?: Key[key] | undefined };
}
export type AnyQuery = RollupQuery<Record<string, Value>, string, string>;

/** The times nearest to the ends of a span that have totals, and the totals by time: at the others they are nothing. */
export interface StoredTotals {
  near(span: Span): Span;
  at(time: number): readonly Row[];
}

/** The first and the last half hour that is rolled up, by its end; null when none is. */
export interface RollupEnds {
  first: number | null;
  last: number | null;
}

export const rollupEnds = async (store: Reader): Promise<RollupEnds> =>
  (await store.get<RollupEnds>(
    `select (select min(period_end) from rollup_pockets) as first, (select max(period_end) from rollup_pockets) as last`,
  )) ?? { first: null, last: null };

/** The totals that the sums of these spans are made from. */
export const storedTotals = (
  store: Reader,
  table: AnyRollup,
  spans: readonly Span[],
  { first, last }: RollupEnds,
  query: AnyQuery,
): Promise<StoredTotals> =>
  table.daily && first !== null
    ? totalsNear(store, table, spans, first - PERIOD, query)
    : totalsOfHalfHours(store, table, spans, last ?? 0, query);

async function totalsOfHalfHours(
  store: Reader,
  table: AnyRollup,
  spans: readonly Span[],
  settled: number,
  query: AnyQuery,
): Promise<StoredTotals> {
  const near = (span: Span): Span => wholePeriods(span, settled);
  const ends = spans.map(near).flatMap(({ from, to }) => (from < to ? [from, to] : []));
  const { keys, totals, where, params } = selectTotals(table, query);
  const columns = ['t.period_end', ...keys].join(', ');
  const rows: (Row & { period_end: number })[] = [];
  for (const chunk of inClauseChunks([...new Set(ends)]))
    rows.push(
      ...(await store.all<Row & { period_end: number }>(
        `select ${columns}${totals} from ${table.name} t
         where t.period_end in (${inClause(chunk)})${where} group by ${columns}`,
        ...chunk,
        ...params,
      )),
    );
  const found = Map.groupBy(rows, ({ period_end }) => period_end);
  return { near, at: (time) => found.get(time) ?? [] };
}

/**
 * One statement finds the nearest time and reads its totals: between two, the job could remove that half hour. Up to the
 * time `begin` there is nothing to add up.
 */
async function totalsNear(
  store: Reader,
  table: AnyRollup,
  spans: readonly Span[],
  begin: number,
  query: AnyQuery,
): Promise<StoredTotals> {
  const times = spans.flatMap(({ from, to }) => (from < to ? [from, to] : [])).filter((time) => time > begin);
  const { keys, totals, where, params } = selectTotals(table, query);
  const columns = ['near.time_asked', 'near.time_found', 't.period_end', ...keys].join(', ');
  const found = new Map<number, number>();
  const rows = new Map<number, Row[]>();
  for (const chunk of inClauseChunks([...new Set(times)])) {
    const read = await store.all<Row & NearRow>(
      `with around as (
         select distinct column1 as time_asked,
           coalesce((select max(period_end) from ${table.name} where period_end <= column1), ${begin}) as earlier,
           (select min(period_end) from ${table.name} where period_end > column1) as later
         from (values ${chunk.map(() => '(cast(? as bigint))').join(', ')}) as asked),
       near as (
         select time_asked, case when later - time_asked < time_asked - earlier then later else earlier end as time_found
         from around)
       select ${columns}${totals} from near left join ${table.name} t on t.period_end = near.time_found${where}
       group by ${columns}`,
      ...chunk,
      ...params,
    );
    for (const [asked, own] of Map.groupBy(read, ({ time_asked }) => time_asked)) {
      const end = own[0]?.time_found as number;
      found.set(asked, end);
      rows.set(
        end,
        own.filter(({ period_end }) => period_end !== null),
      );
    }
  }
  const near = (time: number): number => found.get(time) ?? time;
  return { near: ({ from, to }) => ({ from: near(from), to: near(to) }), at: (time) => rows.get(time) ?? [] };
}

/** `period_end` is null where no row of that time is selected. */
interface NearRow {
  time_asked: number;
  time_found: number;
  period_end: number | null;
}

function selectTotals(table: AnyRollup, { by, sums, only }: AnyQuery) {
  const stored = new Set(storedSums(table));
  const [where, params] = selection('t.', only);
  return {
    keys: by.map((key) => `t.${key}`),
    totals: sums
      .filter((sum) => stored.has(sum))
      .map((sum) => `, sum(t.${sum}) as ${sum}`)
      .join(''),
    where: `${pocketCondition(table, by, only)}${where}`,
    params,
  };
}

/** Either the totals of single pockets or those of all together, never both. */
function pocketCondition(table: AnyRollup, by: AnyQuery['by'], only: AnyQuery['only'] = {}): string {
  if (!isByPocket(table) || only.pocket_id !== undefined) return '';
  return ` and t.pocket_id ${by.includes('pocket_id') ? '<>' : '='} '${ALL_POCKETS}'`;
}

export function selection(prefix: string, only: AnyQuery['only'] = {}): [where: string, params: Value[]] {
  const given = Object.entries(only).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
  return [given.map(({ key }) => ` and ${prefix}${key} = ?`).join(''), given.map(({ value }) => value)];
}
