// Lets go of entries that an archive has: checks that nothing needs them any more and that the archive is whole, and
// removes them in batches while the service runs.
import { setTimeout as delay } from 'node:timers/promises';
import { generators } from '../../../domain/prediction/generators/all.ts';
import { keepFrom, LEAST_KEPT_DAYS } from '../../../domain/signals/retention.ts';
import { PERIOD } from '../../../domain/stats/rollup.ts';
import { OperatorError } from '../../../domain/text/operator-error.ts';
import { DAY } from '../../../domain/time/slot.ts';
import type { Zone } from '../../../domain/time/zone.ts';
import { readNote } from '../../../ledger/checkpoint.ts';
import { TILE_WIDTH } from '../../../ledger/tiles.ts';
import { withOperatorLock } from '../../../store/engine/operator-lock.ts';
import type { Engine, Reader, Store } from '../../../store/engine/store.ts';
import type { Archive } from '../../../store/ledger/archived.ts';
import { checkpointOfSize } from '../../../store/ledger/ledger-reads.ts';
import {
  countBefore,
  type RemovedBatch,
  removeBatch,
  rowsFromAfter,
  unfinishedBefore,
  writeArchive,
} from '../../../store/ledger/remove-archived.ts';
import { newestSignalSlot } from '../../../store/observation/signal-retention.ts';
import { rolledUpTo } from '../../../store/rollup/read-rollups.ts';
import { batchUnderWay } from '../../../store/schema/batches.ts';
import { folderFetch } from '../../../verify/folder-fetch.ts';
import { placeText, verifyLedger } from '../../../verify/verify-ledger.ts';
import { UsageError } from '../command.ts';
import { dateAndZone } from '../operator.ts';

/** Between two batches, for the writers that wait for the store. */
const PAUSE_MS = 20;

export interface Removable {
  bundles: number;
  rows_from: number;
}

/** What of the first `size` entries may leave the store; refuses, with the day from which on it may, what is still read. */
export async function findRemovable(store: Engine, size: number, zone: Zone): Promise<Removable> {
  if (await batchUnderWay(store))
    throw new OperatorError('the store is being upgraded: nothing is removed until that is finished');
  const bundles = Math.floor(size / TILE_WIDTH);
  const rows_from = await rowsFromAfter(store, bundles);
  if (zone.startOfDay(rows_from) % PERIOD !== 0)
    throw new OperatorError(
      `days of ${zone.name} do not begin with a half hour of UTC: sums of days are counted from the rows there, so none can be removed`,
    );
  const newest = (await newestSignalSlot(store)) ?? 0;
  if (rows_from > keepFrom(newest, await store.clock(), LEAST_KEPT_DAYS))
    throw new UsageError(
      `--remove: reports and answers read rows for ${LEAST_KEPT_DAYS} days, and those of these months are of up to ${dateAndZone(rows_from, zone)}; it is possible from ${zone.localDate(Math.ceil(rows_from / DAY) * DAY + LEAST_KEPT_DAYS * DAY)} on, or with an earlier MONTH`,
    );
  const unfinished =
    ((await rolledUpTo(store)) ?? 0) < rows_from
      ? 'a sum is not rolled up'
      : await unfinishedBefore(store, bundles, rows_from);
  if (unfinished !== undefined)
    throw new OperatorError(`${unfinished} in these months: nothing is removed until it is`);
  return { bundles, rows_from };
}

/** Verifies the files as `pocketwatch verify` does, and that they are of the log of this store. */
export async function checkArchive(store: Reader, folder: string, bundles: number): Promise<void> {
  const verdict = await verifyLedger({ generators, fetch: folderFetch(folder) });
  const bad = (what: string) => new OperatorError(`${folder}: ${what}; nothing was removed`);
  if (!verdict.ok) throw bad(`${placeText(verdict.place)}${verdict.message} (${verdict.code})`);
  const own = await checkpointOfSize(store, verdict.size);
  if (own === undefined || readNote(own).root !== readNote(verdict.checkpoint).root)
    throw bad('it is of another log than the database');
  if (verdict.size < bundles * TILE_WIDTH) throw bad(`it has ${verdict.size} entries only`);
}

/** What a run would remove. */
export const countRemovable = (store: Reader, { bundles }: Removable) => countBefore(store, bundles);

export interface RemovedMonths extends RemovedBatch {
  archive: Archive;
}

/** Removes what is in the archive; `onBatch` gets how many of its bundles have gone in this run, and how many there were. */
export async function removeMonths(
  store: Store,
  { bundles, rows_from }: Removable,
  place: string | undefined,
  onBatch: (done: number, total: number) => void,
): Promise<RemovedMonths> {
  const archive = await withOperatorLock(store, (tx) => writeArchive(tx, { bundles, rows_from, place }));
  const total = (await countBefore(store, archive.bundles)).bundles;
  const removed: RemovedBatch = { bundles: 0, rows: 0, bytes: 0 };
  for (;;) {
    const batch = await withOperatorLock(store, removeBatch);
    if (!batch) return { ...removed, archive };
    removed.bundles += batch.bundles;
    removed.rows += batch.rows;
    removed.bytes += batch.bytes;
    onBatch(removed.bundles, total);
    await delay(PAUSE_MS);
  }
}
