// Writes rollups: for every key its running totals at the end of a half hour, once no rows can be added to it any more.
// They can be deleted and counted again from the rows.

import { LONGEST_HORIZON } from '../../domain/prediction/generators/all.ts';
import { FINE_TIME, isDayEnd, PERIOD, periodStart } from '../../domain/stats/rollup.ts';
import { SLOT } from '../../domain/time/slot.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { LONGEST_WINDOW } from '../../domain/window/calm-window.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { lastBackfilledSlot } from '../runtime/history.ts';
import { lastSlots } from '../runtime/job-runs.ts';
import { rollupEnds } from './stored-totals.ts';
import { ALL_POCKETS, type AnyRollup, bySlot, isByPocket, rollups, storedSums } from './tables.ts';

/** Rolls up every period that is settled by the runs up to `until` and was not rolled up yet. */
export async function rollUp(tx: Transaction, zone: Zone, until?: number): Promise<void> {
  const to = await settledUntil(tx, until);
  await rollUpTo(tx, zone, to, to);
}

/**
 * Deletes the rollups from `from` on and counts them again up to `to`. Totals carry on from one period to the next, so
 * those after `to` are deleted too; the next run of the job counts them again.
 */
export async function rebuildRollups(tx: Transaction, zone: Zone, from: number, to: number): Promise<void> {
  for (const { name } of rollups) await tx.run(`delete from ${name} where period_end > ?`, periodStart(from));
  const settled = await settledUntil(tx);
  await rollUpTo(tx, zone, Math.min(to, settled), settled);
}

/** `settled`: how much could be rolled up, from which the age of a period is counted. */
async function rollUpTo(tx: Transaction, zone: Zone, to: number, settled: number): Promise<void> {
  const { first, last } = await rollupEnds(tx);
  const begin = first === null ? await firstPeriod(tx) : first - PERIOD;
  if (begin === null) return;
  const fineFrom = Math.max(settled, await historySettled(tx)) - FINE_TIME;
  const rollUpTable = async (table: AnyRollup) => {
    let from = (table.daily ? await lastEnd(tx, table) : last) ?? begin;
    for (let end = (last ?? begin) + PERIOD; end <= to; end += PERIOD) {
      if (table.daily && end <= fineFrom && !isDayEnd(end, zone)) continue;
      await addPeriods(tx, table, { from, to: end });
      from = end;
    }
  };
  await Promise.all(rollups.map(rollUpTable));
}

/**
 * While the history is written: up to when it will be settled in the end. What is days before that is never written in
 * half hours.
 */
async function historySettled(tx: Transaction): Promise<number> {
  const row = await tx.get<{ until_slot: number }>(
    'select until_slot from history_progress where finished = 0',
  );
  return (row?.until_slot ?? 0) - Math.max(LONGEST_WINDOW, LONGEST_HORIZON);
}

async function lastEnd(tx: Transaction, { name }: AnyRollup): Promise<number | null> {
  const row = await tx.get<{ period_end: number | null }>(
    `select max(period_end) as period_end from ${name}`,
  );
  return row?.period_end ?? null;
}

/**
 * Removes the half hours between days that are older than those that stay, from the tables that keep days alone: the
 * oldest first, from `after` on, and at most `most` of them at once. Returns the time up to which none is left.
 */
export async function dropHalfHours(
  tx: Transaction,
  zone: Zone,
  { after, most }: { after: number | undefined; most: number },
): Promise<number | undefined> {
  const { first, last } = await rollupEnds(tx);
  if (first === null || last === null) return after;
  // Reports of accuracy are split where the history ends.
  const history = await lastBackfilledSlot(tx);
  const historyEnd = history === null ? null : periodStart(history + SLOT);
  const dropped: number[] = [];
  let end = after ?? first - PERIOD;
  while (end + PERIOD <= last - FINE_TIME && dropped.length < most) {
    end += PERIOD;
    if (!isDayEnd(end, zone) && end !== historyEnd) dropped.push(end);
  }
  for (const { name } of rollups.filter(({ daily }) => daily))
    for (const chunk of inClauseChunks(dropped))
      await tx.run(`delete from ${name} where period_end in (${inClause(chunk)})`, ...chunk);
  return end;
}

/** The totals before the span, of one period or of a day, and its rows make the totals after it. */
async function addPeriods(tx: Transaction, table: AnyRollup, span: Span): Promise<void> {
  const settled = table.sources.filter(({ unsettled }) => !unsettled);
  const { totals, ofAllPockets } = rollupInserts(table, span.to - span.from > PERIOD);
  const params = settled.flatMap(({ within = bySlot }) => within.params(span));
  await Promise.all([
    tx.run(totals, span.to, span.from, ...params),
    isByPocket(table) && tx.run(ofAllPockets, span.to),
  ]);
}

const inserts = new Map<string, ReturnType<typeof compose>>();

function rollupInserts(table: AnyRollup, isDay: boolean) {
  const key = `${table.name} ${isDay}`;
  const known = inserts.get(key) ?? compose(table, isDay);
  inserts.set(key, known);
  return known;
}

/** `isDay`: each key has many rows, which are added up before the wide rows of all sources are sorted together. */
function compose(table: AnyRollup, isDay: boolean) {
  const { name, keys, sources } = table;
  const sums = storedSums(table);
  const columns = [...keys, ...sums].join(', ');
  const added = sums.map((sum) => `sum(${sum})`);
  const counted = sources
    .filter(({ unsettled }) => !unsettled)
    .map(({ rows, within = bySlot, sums: values }) => {
      const own = keys.map((key) => `x.${key}`);
      const value = (sum: string) => (isDay && values[sum] ? `sum(${values[sum]})` : (values[sum] ?? 0));
      const grouped = isDay ? ` group by ${own.join(', ')}` : '';
      return `select ${[...own, ...sums.map((sum) => `${value(sum)} as ${sum}`)].join(', ')} from ${rows}
        where ${within.where}${grouped}`;
    });
  const single = isByPocket(table) ? ` and pocket_id <> '${ALL_POCKETS}'` : '';
  const before = `select ${columns} from ${name} where period_end = ?${single}`;
  const insert = `insert into ${name} (period_end, ${columns})`;
  const grouped = ['period_end', ...keys.filter((key) => key !== 'pocket_id')].join(', ');
  return {
    totals: `${insert}
      select cast(? as bigint), ${[...keys, ...added].join(', ')}
      from (${[before, ...counted].join(' union all ')}) as added group by ${keys.join(', ')}`,
    ofAllPockets: `${insert}
      select ${['period_end', ...keys.map((key) => (key === 'pocket_id' ? `'${ALL_POCKETS}'` : key)), ...added].join(', ')}
      from ${name} where period_end = ? group by ${grouped}`,
  };
}

/** Before this time every line and every silence has its verdict, every forecast its reveal and every commitment its outcome. */
async function settledUntil(store: Reader, until?: number): Promise<number> {
  const runs = await lastSlots(store, ['vindication', 'reveal', 'commitment'], until);
  const last = (job: string): number => runs.get(job) ?? 0;
  return Math.min(
    last('vindication') - LONGEST_WINDOW,
    last('reveal') - LONGEST_HORIZON,
    last('commitment') + SLOT,
  );
}

/** The period of the first reading: before it nothing was decided or forecast. Null when nothing was read. */
async function firstPeriod(store: Reader): Promise<number | null> {
  const first = await store.get<{ slot: number | null }>('select min(slot) as slot from atmosphere_readings');
  return first?.slot ? periodStart(first.slot) : null;
}
