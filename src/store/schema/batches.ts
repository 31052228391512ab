// Changes of so many rows that a service must not stand still for them: they are made in batches, each in a transaction
// of its own, while the service answers. The row of a change in schema_batches says where the next batch begins; it is
// updated in the transaction of the batch, so a kill loses nothing, and its lock is the claim of the process that makes
// the batch. Code that reads the rows must know both forms until the change is finished.
import { setTimeout as delay } from 'node:timers/promises';
import type { Reader, Store, Transaction } from '../engine/store.ts';
import type { BatchedChange } from './batched-change.ts';
import { bundleOlderEntries, packOlderTiles, removeLeafTiles } from './bundle-older-entries.ts';
import { packOlderReadiness, packOlderStories } from './pack-older-rows.ts';

/** In the order in which they are made. */
export const batchedChanges: readonly BatchedChange[] = [
  bundleOlderEntries,
  packOlderTiles,
  packOlderReadiness,
  packOlderStories,
  removeLeafTiles,
];

export interface BatchProgress {
  key: string;
  done: number;
  total: number;
}

/** The first of the changes that are not finished; undefined when all are. */
export const batchUnderWay = (reader: Reader): Promise<BatchProgress | undefined> =>
  reader.get<BatchProgress>(
    'select key, done, total from schema_batches where finished = 0 order by began_at, key limit 1',
  );

/** Registers the changes that the store does not know yet. A store without such rows has nothing to change. */
export async function recordBatches(
  tx: Transaction,
  changes: readonly BatchedChange[],
  now: number,
): Promise<void> {
  for (const change of changes) {
    const total = await change.count(tx);
    const row = { key: change.key, position: '', done: 0, total, began_at: now, updated_at: now };
    await tx.insert(
      'schema_batches',
      [{ ...row, finished: total === 0 ? 1 : 0 }],
      'on conflict (key) do nothing',
    );
  }
}

export interface BatchRun {
  clock: () => number;
  changes?: readonly BatchedChange[];
  /** Between two batches, for the requests that wait for the store. */
  pauseMs?: number;
  signal?: AbortSignal;
  onBatch?: (progress: BatchProgress) => void;
}

/** Makes batches until every change is finished; any number of processes may do it at once. */
export async function runBatches(
  store: Store,
  { clock, changes = batchedChanges, pauseMs = 50, signal, onBatch }: BatchRun,
): Promise<void> {
  for (const change of changes)
    while (!signal?.aborted) {
      const progress = await store.transaction((tx) => makeBatch(tx, change, clock()));
      if (!progress) break;
      onBatch?.(progress);
      await delay(pauseMs);
    }
}

/** Undefined when the change is finished. */
async function makeBatch(
  tx: Transaction,
  change: BatchedChange,
  now: number,
): Promise<BatchProgress | undefined> {
  // The update claims the row: another process waits here, and goes on where this one ends.
  await tx.run('update schema_batches set updated_at = ? where key = ?', now, change.key);
  const row = await tx.get<BatchProgress & { position: string; finished: number }>(
    'select * from schema_batches where key = ?',
    change.key,
  );
  if (!row || row.finished) return undefined;
  const { position, changed, finished } = await change.changeBatch(tx, row.position);
  const done = row.done + changed;
  await tx.run(
    'update schema_batches set position = ?, done = ?, finished = ? where key = ?',
    position,
    done,
    finished ? 1 : 0,
    change.key,
  );
  return { key: change.key, done, total: row.total };
}
