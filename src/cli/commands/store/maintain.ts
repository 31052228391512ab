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
import { type Command, flag, readOptions, say, UsageError } from '../../runtime/command.ts';
import { openUpgradedStore } from '../../runtime/open.ts';
import { report } from '../../runtime/operator.ts';

/** Between two batches, for the writers that wait for the store. */
const PAUSE_MS = 20;

export const maintainCommand: Command = {
  usage: `pocketwatch maintain [--dry-run] [--vacuum] [--json]

Removes raw signals that are older than KEEP_SIGNALS_DAYS, counted back from the newest: snapshots of pockets with their
provenance, activity of outlets, words of people. Readings, decisions, rollups, reports and the ledger stay. Run it once a
day or once a month, while the service runs or not; it can be stopped and started again, and several may run at once. On
PostgreSQL the role must be allowed to delete from these tables, which the roles of the service need not be.

  --dry-run   say what would be removed, and change nothing
  --vacuum    of the embedded store: then write its file anew, so that the disk has the room; it needs as much free room
              as the file has, and writers wait meanwhile
  --json      print what was removed as JSON`,
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
      const removed = await (isDryRun ? countOld : removeOld)(store, keptFrom);
      if (options.vacuum && !isDryRun) await store.vacuum?.();
      const kept_from = keptFrom === null ? null : iso(keptFrom);
      report(options.json, { kept_from, removed, dry_run: isDryRun }, sentence(kept_from, removed, isDryRun));
    } finally {
      await store.close();
    }
  },
};

type Removed = Record<string, number>;

/**
 * Null while everything is kept. What was let go before stays so, also where the setting has been raised since. Without a
 * row to remove nothing changes: of a time before the first signal nobody must read that its signals are no longer kept.
 */
async function newKeptFrom(store: Engine, days: number | 'forever' | undefined): Promise<number | null> {
  const kept = days ?? (store.engine === 'postgres' ? KEPT_DAYS_ON_SERVER : 'forever');
  const stated = await signalsKeptFrom(store);
  const newest = await newestSignalSlot(store);
  if (kept === 'forever' || newest === null) return stated;
  const oldest = keepFrom(newest, await store.clock(), kept);
  return oldest > (stated ?? 0) && (await hasSignalsBefore(store, oldest)) ? oldest : stated;
}

async function countOld(store: Engine, keptFrom: number | null): Promise<Removed> {
  const found: Removed = {};
  for (const table of signalTables)
    found[table] = keptFrom === null ? 0 : await countSignalsBefore(store, table, keptFrom);
  return found;
}

async function removeOld(store: Engine, keptFrom: number | null): Promise<Removed> {
  const removed: Removed = Object.fromEntries(signalTables.map((table) => [table, 0]));
  if (keptFrom === null) return removed;
  if (keptFrom !== (await signalsKeptFrom(store)))
    await store.transaction((tx) => raiseKeptFrom(tx, keptFrom));
  for (const table of signalTables)
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

function sentence(keptFrom: string | null, removed: Removed, isDryRun: boolean): string {
  if (keptFrom === null) return 'all raw signals are kept: nothing is removed';
  const rows = Object.entries(removed).map(([table, n]) => `${n} of ${table}`);
  return `raw signals ${isDryRun ? 'would be' : 'are'} kept from ${keptFrom} on; rows ${isDryRun ? 'to remove' : 'removed'}: ${rows.join(', ')}`;
}
