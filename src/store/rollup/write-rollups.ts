// Writes rollups: for every key its running totals at the end of a half hour, once no rows can be added to it any more.
// They can be deleted and counted again from the rows.

import { LONGEST_HORIZON } from '../../domain/prediction/generators/all.ts';
import { PERIOD, periodStart } from '../../domain/stats/rollup.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { LONGEST_WINDOW } from '../../domain/window/calm-window.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { lastSlots } from '../runtime/job-runs.ts';
import { rolledUpTo } from './read-rollups.ts';
import { ALL_POCKETS, type AnyRollup, bySlot, isByPocket, rollups, storedSums } from './tables.ts';

/** Rolls up every period that is settled by the runs up to `until` and was not rolled up yet. */
export async function rollUp(tx: Transaction, until?: number): Promise<void> {
  await rollUpTo(tx, await settledUntil(tx, until));
}

/**
 * Deletes the rollups from `from` on and counts them again up to `to`. Totals carry on from one period to the next, so
 * those after `to` are deleted too; the next run of the job counts them again.
 */
export async function rebuildRollups(tx: Transaction, from: number, to: number): Promise<void> {
  for (const { name } of rollups) await tx.run(`delete from ${name} where period_end > ?`, periodStart(from));
  await rollUpTo(tx, Math.min(to, await settledUntil(tx)));
}

async function rollUpTo(tx: Transaction, to: number): Promise<void> {
  let from = (await rolledUpTo(tx)) ?? (await firstPeriod(tx));
  for (; from !== null && from + PERIOD <= to; from += PERIOD)
    for (const table of rollups) await addPeriod(tx, table, from);
}

/** The totals before the period and the rows of the period make the totals after it. */
async function addPeriod(tx: Transaction, table: AnyRollup, from: number): Promise<void> {
  const span = { from, to: from + PERIOD };
  const settled = table.sources.filter(({ unsettled }) => !unsettled);
  const { totals, ofAllPockets } = rollupInserts(table);
  await tx.run(totals, span.to, span.from, ...settled.flatMap(({ within = bySlot }) => within.params(span)));
  if (isByPocket(table)) await tx.run(ofAllPockets, span.to);
}

const inserts = new Map<string, ReturnType<typeof compose>>();

function rollupInserts(table: AnyRollup) {
  const known = inserts.get(table.name) ?? compose(table);
  inserts.set(table.name, known);
  return known;
}

function compose(table: AnyRollup) {
  const { name, keys, sources } = table;
  const sums = storedSums(table);
  const columns = [...keys, ...sums].join(', ');
  const added = sums.map((sum) => `sum(${sum})`);
  const counted = sources
    .filter(({ unsettled }) => !unsettled)
    .map(({ rows, within = bySlot, sums: own }) => {
      const values = sums.map((sum) => `${own[sum] ?? 0} as ${sum}`);
      return `select ${[...keys.map((key) => `x.${key}`), ...values].join(', ')} from ${rows} where ${within.where}`;
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
