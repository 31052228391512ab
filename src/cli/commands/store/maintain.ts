import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../../config.ts';
import { KEPT_DAYS_ON_SERVER, keepFrom } from '../../../domain/signals/retention.ts';
import { iso } from '../../../domain/time/slot.ts';
import type { Engine } from '../../../store/engine/store.ts';
import {
  countSignalsBefore,
  hasSignalsBefore,
  newestSignalSlot,
  raiseKeptFrom,
  removeOldSignals,
  signalsKeptFrom,
  signalTables,
} from '../../../store/observation/signal-retention.ts';
import {
  dropMonths,
  foretellMonths,
  gatherStatistics,
  makeMonths,
  oldPartitions,
} from '../../../store/schema/months.ts';
import { partitionedTables, startOfPartition } from '../../../store/schema/partitions.ts';
import { type Command, flag, readOptions, say, UsageError } from '../../runtime/command.ts';
import { openUpgradedStore } from '../../runtime/open.ts';
import { report } from '../../runtime/operator.ts';

/** Between two batches, for the writers that wait for the store. */
const PAUSE_MS = 20;

export const maintainCommand: Command = {
  usage: `pocketwatch maintain [--dry-run] [--vacuum] [--json]

Removes raw signals that are older than KEEP_SIGNALS_DAYS, counted back from the newest: snapshots of pockets with their
provenance, activity of outlets, words of people. Readings, decisions, rollups, reports and the ledger stay. Run it once a
day or once a month, while the service runs or not; it can be stopped and started again, and several may run at once.

PostgreSQL has these tables by month: the months to come get their partitions, and a month is dropped once all of it is
older. The role must own the tables, which the roles of the service need not.

  --dry-run   say what would be done, and change nothing
  --vacuum    of the embedded store: then write its file anew, so that the disk has the room; it needs as much free room
              as the file has, and writers wait meanwhile
  --json      print what was done as JSON`,
  run: async (args) => {
    const { 'dry-run': isDryRun = false, ...options } = readOptions(args, {
      'dry-run': flag,
      vacuum: flag,
      json: flag,
    });
    const config = readConfig(process.env);
    if (options.vacuum && config.DATABASE_URL)
      throw new UsageError('--vacuum is for the embedded store: PostgreSQL uses freed room by itself');
    const store = await openUpgradedStore(config);
    try {
      const keptFrom = await newKeptFrom(store, config.KEEP_SIGNALS_DAYS);
      const done = await (isDryRun ? foretell : maintain)(store, keptFrom);
      if (options.vacuum && !isDryRun) await store.vacuum?.();
      const kept_from = keptFrom === null ? null : iso(keptFrom);
      report(options.json, { kept_from, ...done, dry_run: isDryRun }, sentence(kept_from, done, isDryRun));
    } finally {
      await store.close();
    }
  },
};

type Removed = Record<string, number>;

interface Done {
  /** Rows by table, those of dropped partitions included. */
  removed: Removed;
  /** Of a store that has months, by name. `busy`: tables that were in use, such as by a backup; the next run does them. */
  partitions?: { made: string[]; dropped: string[]; busy: string[] };
}

/**
 * Null while everything is kept. What was let go before stays so, also where the setting has been raised since. Without a
 * row to remove nothing changes: of a time before the first signal nobody must read that its signals are no longer kept.
 */
async function newKeptFrom(store: Engine, days: number | 'forever' | undefined): Promise<number | null> {
  const kept = days ?? (store.engine === 'postgres' ? KEPT_DAYS_ON_SERVER : 'forever');
  const stated = await signalsKeptFrom(store);
  const newest = await newestSignalSlot(store);
  if (kept === 'forever' || newest === null) return stated;
  const before = keepFrom(newest, await store.clock(), kept);
  const oldest = hasMonths(store) ? startOfPartition(await partitionedTables(store), before) : before;
  return oldest > (stated ?? 0) && (await hasSignalsBefore(store, oldest)) ? oldest : stated;
}

const hasMonths = ({ engine }: Engine): boolean => engine === 'postgres';

async function foretell(store: Engine, keptFrom: number | null): Promise<Done> {
  const removed: Removed = {};
  for (const table of signalTables)
    removed[table] = keptFrom === null ? 0 : await countSignalsBefore(store, table, keptFrom);
  if (!hasMonths(store)) return { removed };
  const made = await foretellMonths(store, await store.clock());
  const old = await oldPartitions(store, keptFrom ?? -Infinity);
  return { removed, partitions: { made, dropped: old.map(({ name }) => name), busy: [] } };
}

async function maintain(store: Engine, keptFrom: number | null): Promise<Done> {
  if (keptFrom !== null && keptFrom !== (await signalsKeptFrom(store)))
    await store.transaction((tx) => raiseKeptFrom(tx, keptFrom));
  if (!hasMonths(store)) return { removed: await removeOld(store, keptFrom) };
  const time = keptFrom ?? -Infinity;
  const old = await oldPartitions(store, time);
  const dropped = await dropMonths(store, time);
  // A month that is in use goes as a whole later: no row of it is removed by itself meanwhile.
  const removed = await removeOld(store, keptFrom, dropped.busy);
  for (const { table, name, rows } of old)
    if (dropped.changed.includes(name)) removed[table] = (removed[table] ?? 0) + rows;
  const made = await makeMonths(store, await store.clock());
  await gatherStatistics(store, made.changed.length + dropped.changed.length > 0);
  const busy = [...new Set([...dropped.busy, ...made.busy])];
  return { removed, partitions: { made: made.changed, dropped: dropped.changed, busy } };
}

async function removeOld(
  store: Engine,
  keptFrom: number | null,
  except: readonly string[] = [],
): Promise<Removed> {
  const removed: Removed = Object.fromEntries(signalTables.map((table) => [table, 0]));
  if (keptFrom === null) return removed;
  for (const table of signalTables.filter((name) => !except.includes(name)))
    for (let from: number | null = 0; from !== null; ) {
      const after: number = from;
      const { rows, next } = await store.transaction((tx) => removeOldSignals(tx, table, after), 'feeds');
      from = next;
      removed[table] = (removed[table] ?? 0) + rows;
      if (process.stderr.isTTY) say(`${table}: ${removed[table]} rows removed`);
      await delay(PAUSE_MS);
    }
  return removed;
}

function sentence(keptFrom: string | null, { removed, partitions }: Done, isDryRun: boolean): string {
  const rows = Object.entries(removed).map(([table, n]) => `${n} of ${table}`);
  const kept =
    keptFrom === null
      ? 'all raw signals are kept: nothing is removed'
      : `raw signals ${isDryRun ? 'would be' : 'are'} kept from ${keptFrom} on; rows ${isDryRun ? 'to remove' : 'removed'}: ${rows.join(', ')}`;
  const { made = [], dropped = [], busy = [] } = partitions ?? {};
  const list = (what: string, names: readonly string[]) =>
    names.length > 0 ? `; ${what}: ${names.join(', ')}` : '';
  return (
    kept +
    list(isDryRun ? 'months to drop' : 'months dropped', dropped) +
    list(isDryRun ? 'months to make' : 'months made', made) +
    list('in use, so that the next run has to do it', busy)
  );
}
