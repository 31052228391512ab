// Reads what the rows of a span add up to: the difference between two running totals, and the rows at the ends of the
// span that are not rolled up, which are counted directly. The result is exact however much is rolled up.

import type { Origin } from '../../domain/prediction/forecast-sums.ts';
import { addSums, type Sums, splitSpan, zeroSums } from '../../domain/stats/rollup.ts';
import { type Span, splitAfter } from '../../domain/time/window.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Row, Value } from '../engine/store.ts';
import { lastBackfilledSlot } from '../runtime/history.ts';
import { ALL_POCKETS, type AnyRollup, bySlot, isByPocket, type RollupTable, storedSums } from './tables.ts';

/** Which sums, grouped by which keys, of which rows. */
export interface RollupQuery<Key extends object, K extends keyof Key, S extends string> {
  by: readonly K[];
  sums: readonly S[];
  /** A key that is left out or undefined may have any value. */
  only?: { [key in keyof Key]?: Key[key] | undefined };
}
type AnyQuery = RollupQuery<Record<string, Value>, string, string>;

/** A row for each combination of keys that has a sum other than 0, in no order. */
export async function readSums<Key extends object, K extends keyof Key, All extends string, S extends All>(
  store: Reader,
  table: RollupTable<Key, All>,
  span: Span,
  query: RollupQuery<Key, K, S>,
): Promise<(Pick<Key, K> & Sums<S>)[]> {
  const [rows = []] = await sumsOfEach(store, table, [span], query);
  return rows;
}

/** The sums of a span without any keys. */
export async function readTotals<Key extends object, All extends string, S extends All>(
  store: Reader,
  table: RollupTable<Key, All>,
  span: Span,
  query: Omit<RollupQuery<Key, never, S>, 'by'>,
): Promise<Sums<S>> {
  const [row] = await readSums(store, table, span, { by: [], ...query });
  return row ?? zeroSums(query.sums);
}

/** The same of several spans, such as days, in their order. */
export async function sumsOfEach<Key extends object, K extends keyof Key, All extends string, S extends All>(
  store: Reader,
  table: RollupTable<Key, All>,
  spans: readonly Span[],
  query: RollupQuery<Key, K, S>,
): Promise<(Pick<Key, K> & Sums<S>)[][]> {
  const results = await read(store, table as AnyRollup, spans, query as unknown as AnyQuery);
  return results as (Pick<Key, K> & Sums<S>)[][];
}

/**
 * The same of one span, apart for rows that were written afterwards and for those written as their time came. The first
 * history is written once and in order, so that the slot tells them apart.
 */
export async function sumsByOrigin<
  Key extends object,
  K extends keyof Key,
  All extends string,
  S extends All,
>(
  store: Reader,
  table: RollupTable<Key, All>,
  span: Span,
  query: RollupQuery<Key, K, S>,
): Promise<(Pick<Key, K> & Sums<S> & Origin)[]> {
  const spans = splitAfter(span, await lastBackfilledSlot(store));
  const [backfilled = [], live = []] = await sumsOfEach(store, table, spans, query);
  return [
    ...backfilled.map((row) => ({ ...row, backfilled: true })),
    ...live.map((row) => ({ ...row, backfilled: false })),
  ];
}

/** The end of the last period that is rolled up; null when none is. */
export async function rolledUpTo(store: Reader): Promise<number | null> {
  const last = await store.get<{ slot: number | null }>('select max(period_end) as slot from rollup_pockets');
  return last?.slot ?? null;
}

async function read(
  store: Reader,
  table: AnyRollup,
  spans: readonly Span[],
  query: AnyQuery,
): Promise<Row[][]> {
  const settled = (await rolledUpTo(store)) ?? 0;
  const parts = spans.map((span) => splitSpan(span, settled));
  const bounds = parts.flatMap(({ periods }) => (periods ? [periods.from, periods.to] : []));
  const totals = await totalsAt(store, table, [...new Set(bounds)], query);
  const results: Row[][] = [];
  for (const { periods, ends } of parts) {
    const sum = new Adder(query);
    if (periods) {
      sum.add(totals.get(periods.to) ?? []);
      sum.add(totals.get(periods.from) ?? [], -1);
    }
    for (const end of ends) sum.add(await countRows(store, table, end, end.to <= settled, query));
    results.push(sum.rows());
  }
  return results;
}

/** Adds rows up by their keys. */
class Adder {
  readonly #query: AnyQuery;
  readonly #rows = new Map<string, Row>();

  constructor(query: AnyQuery) {
    this.#query = query;
  }

  add(rows: readonly Row[], sign: 1 | -1 = 1): void {
    const { by, sums } = this.#query;
    for (const row of rows) {
      const name = by.map((key) => row[key]).join(' ');
      let known = this.#rows.get(name);
      if (!known) {
        known = {};
        for (const key of by) known[key] = row[key] ?? null;
        for (const sum of sums) known[sum] = 0;
        this.#rows.set(name, known);
      }
      addSums(known as Sums<string>, row as Partial<Sums<string>>, sums, sign);
    }
  }

  /** Keys with rows before the span and none in it have sums of 0, and are left out. */
  rows(): Row[] {
    const { sums } = this.#query;
    return [...this.#rows.values()].filter((row) => sums.some((sum) => row[sum] !== 0));
  }
}

/** The running totals at each of these times. Before the first period there are none. */
async function totalsAt(
  store: Reader,
  table: AnyRollup,
  times: readonly number[],
  { by, sums, only }: AnyQuery,
): Promise<Map<number, Row[]>> {
  const stored = new Set(storedSums(table));
  const columns = ['period_end', ...by].join(', ');
  const totals = sums.filter((sum) => stored.has(sum)).map((sum) => `, sum(${sum}) as ${sum}`);
  const [where, params] = selection('', only);
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

/** Counts the rows of a span themselves, source by source. */
async function countRows(
  store: Reader,
  { sources }: AnyRollup,
  span: Span,
  isSettled: boolean,
  { by, sums, only }: AnyQuery,
): Promise<Row[]> {
  const keys = by.map((key) => `x.${key}`);
  const [where, params] = selection('x.', only);
  const counts: Row[] = [];
  for (const { rows, within = bySlot, sums: given, unsettled } of sources) {
    const wanted = sums.filter((sum) => given[sum] !== undefined);
    if (!wanted.length || (unsettled && isSettled)) continue;
    const values = wanted.map((sum) => `coalesce(sum(${given[sum]}), 0) as ${sum}`);
    counts.push(
      ...(await store.all<Row>(
        `select ${[...keys, ...values].join(', ')} from ${rows} where ${within.where}${where}
         ${keys.length ? `group by ${keys.join(', ')}` : ''}`,
        ...within.params(span),
        ...params,
      )),
    );
  }
  return counts;
}

function selection(prefix: string, only: AnyQuery['only'] = {}): [where: string, params: Value[]] {
  const given = Object.entries(only).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
  return [given.map(({ key }) => ` and ${prefix}${key} = ?`).join(''), given.map(({ value }) => value)];
}
