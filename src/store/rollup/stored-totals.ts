// Reads stored running totals for the ends of spans. A table has those of every half hour; one that keeps days alone of
// what is older has those of the half hours that are left in it.

import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { PERIOD, wholePeriods } from '../../domain/stats/rollup.ts';
import type { Span } from '../../domain/time/window.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Row, Value } from '../engine/store.ts';
import { ofDistrict } from '../rows/district-rows.ts';
import { ALL_POCKETS, type AnyRollup, isByPocket, storedSums } from './tables.ts';

/** Which sums, grouped by which keys, of which rows. */
export interface RollupQuery<Key extends object, K extends keyof Key, S extends string> {
  by: readonly K[];
  sums: readonly S[];
  /** A key that is left out or undefined may have any value. */
  only?: { [key in keyof Key]?: Key[key] | undefined };
  /** Of the pockets of a district alone. */
  district?: string | undefined;
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
  const totals = await totalsAt(store, table, endsOf(spans.map(near)), query);
  return { near, at: (time) => totals.get(time) ?? [] };
}

/** Up to the time `begin` there is nothing to add up. */
async function totalsNear(
  store: Reader,
  table: AnyRollup,
  spans: readonly Span[],
  begin: number,
  query: AnyQuery,
): Promise<StoredTotals> {
  const times = endsOf(spans).filter((time) => time > begin);
  for (;;) {
    const found = await nearestTimes(store, table, times, begin);
    const near = (time: number): number => found.get(time) ?? time;
    const stored = [...new Set(found.values())].filter((time) => time > begin);
    const totals = await totalsAt(store, table, stored, query);
    // The job may have dropped one of these half hours before its totals were read: then others are looked for.
    const left = await nearestTimes(store, table, stored, begin);
    if (stored.every((time) => left.get(time) === time))
      return {
        near: ({ from, to }) => ({ from: near(from), to: near(to) }),
        at: (time) => totals.get(time) ?? [],
      };
  }
}

const endsOf = (spans: readonly Span[]): number[] => [
  ...new Set(spans.flatMap(({ from, to }) => (from < to ? [from, to] : []))),
];

/** For each of these times the nearest that the table has totals of, or `begin`. */
async function nearestTimes(
  store: Reader,
  { name }: AnyRollup,
  times: readonly number[],
  begin: number,
): Promise<Map<number, number>> {
  const nearest = new Map<number, number>();
  for (const chunk of inClauseChunks(times)) {
    const rows = await store.all<{ time: number; earlier: number | null; later: number | null }>(
      `select column1 as time, (select max(period_end) from ${name} where period_end <= column1) as earlier,
         (select min(period_end) from ${name} where period_end > column1) as later
       from (values ${chunk.map(() => '(cast(? as bigint))').join(', ')}) as asked`,
      ...chunk,
    );
    for (const { time, earlier, later } of rows) {
      const before = earlier ?? begin;
      nearest.set(time, later !== null && later - time < time - before ? later : before);
    }
  }
  return nearest;
}

/** The running totals at each of these times. Before the first period there are none. */
async function totalsAt(
  store: Reader,
  table: AnyRollup,
  times: readonly number[],
  query: AnyQuery,
): Promise<Map<number, Row[]>> {
  const { by, sums, only } = query;
  const stored = new Set(storedSums(table));
  const columns = ['period_end', ...by].join(', ');
  const totals = sums.filter((sum) => stored.has(sum)).map((sum) => `, sum(${sum}) as ${sum}`);
  const [where, params] = selection('', query);
  const pockets = pocketCondition(table, by, only);
  const rows: (Row & { period_end: number })[] = [];
  for (const chunk of inClauseChunks(times))
    rows.push(
      ...(await store.all<Row & { period_end: number }>(
        `select ${columns}${totals.join('')} from ${table.name}
         where period_end in (${inClause(chunk)})${pockets}${where} group by ${columns}`,
        ...chunk,
        ...params,
      )),
    );
  return Map.groupBy(rows, ({ period_end }) => period_end);
}

/** Either the totals of single pockets or those of all together, never both. */
function pocketCondition(table: AnyRollup, by: AnyQuery['by'], only: AnyQuery['only'] = {}): string {
  if (!isByPocket(table) || only.pocket_id !== undefined) return '';
  return ` and pocket_id ${by.includes('pocket_id') ? '<>' : '='} '${ALL_POCKETS}'`;
}

export function selection(
  prefix: string,
  { only = {}, district = WHOLE_CITY }: Pick<AnyQuery, 'only' | 'district'>,
  ofPocket?: string,
): [where: string, params: Value[]] {
  const given = Object.entries(only).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
  const condition = (key: string) => (key === 'pocket_id' && ofPocket) || `${prefix}${key} = ?`;
  const within = ofDistrict(`${prefix}pocket_id`, district);
  return [
    `${given.map(({ key }) => ` and ${condition(key)}`).join('')} ${within.and}`,
    [...given.map(({ value }) => value), ...within.params],
  ];
}
