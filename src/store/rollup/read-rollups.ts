// Reads what the rows of a span add up to: the difference between two running totals, and the rows between their times
// and the ends of the span, which are counted directly. The result is exact whichever totals are stored.

import type { Origin } from '../../domain/prediction/forecast-sums.ts';
import { addSums, type Sums, splitSpan, zeroSums } from '../../domain/stats/rollup.ts';
import { type Span, splitAfter } from '../../domain/time/window.ts';
import type { Reader, Row } from '../engine/store.ts';
import { lastBackfilledSlot } from '../runtime/history.ts';
import { type AnyQuery, type RollupQuery, rollupEnds, selection, storedTotals } from './stored-totals.ts';
import { type AnyRollup, bySlot, type RollupTable } from './tables.ts';

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
export const rolledUpTo = async (store: Reader): Promise<number | null> => (await rollupEnds(store)).last;

async function read(
  store: Reader,
  table: AnyRollup,
  spans: readonly Span[],
  query: AnyQuery,
): Promise<Row[][]> {
  const ends = await rollupEnds(store);
  const stored = await storedTotals(store, table, spans, ends, query);
  const count = (span: Span) => countRows(store, table, span, span.to <= (ends.last ?? 0), query);
  const results: Row[][] = [];
  for (const span of spans) {
    const { totals, added, removed } = splitSpan(span, stored.near(span));
    const sum = new Adder(query);
    if (totals) {
      sum.add(stored.at(totals.to));
      sum.add(stored.at(totals.from), -1);
    }
    for (const rest of added) sum.add(await count(rest));
    for (const excess of removed) sum.add(await count(excess), -1);
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

/** Counts the rows of a span themselves, source by source. */
async function countRows(
  store: Reader,
  { sources }: AnyRollup,
  span: Span,
  isSettled: boolean,
  query: AnyQuery,
): Promise<Row[]> {
  const { by, sums } = query;
  const keys = by.map((key) => `x.${key}`);
  const counts: Row[] = [];
  for (const { rows, within = bySlot, sums: given, ofPocket, unsettled } of sources) {
    const wanted = sums.filter((sum) => given[sum] !== undefined);
    if (!wanted.length || (unsettled && isSettled)) continue;
    const [where, params] = selection('x.', query, ofPocket);
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
