// Publishes what was appended to the ledger until it is told to stop. It runs apart from the slot's jobs, which wait
// for no storage: while the storage is away the ledger grows, and its published checkpoint follows later.
import { setTimeout as delay } from 'node:timers/promises';
import { latestCheckpoint, signedAfter } from '../../store/ledger/ledger-reads.ts';
import { StorageError } from '../../store/storage/ledger-storage.ts';
import { type PublishContext, publishLedger } from './publish-ledger.ts';

/** How often the publisher looks for a new checkpoint. */
const LOOK_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** How far the ledger is published. */
export interface Publishing {
  entries: number;
  /** When the first checkpoint was signed that is not published yet; null if all are. */
  unpublished_since: number | null;
}

export interface PublisherLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Publisher extends PublishContext {
  log: PublisherLog;
  report?: (state: Publishing) => void;
  /** Waits until the next look. */
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const sleepUntilAborted = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

/** Never throws: a failure is tried again, and logged once until publishing goes on. */
export async function runPublisher(publisher: Publisher): Promise<void> {
  const { store, storage, signal, log, report, sleep = sleepUntilAborted } = publisher;
  /** Unknown until the storage was read. */
  let published: number | undefined;
  let isPrepared = false;
  let stopped: string | undefined;
  let failures = 0;
  const onStep = (size: number) => {
    published = size;
    if (stopped !== undefined)
      log.info({ storage: storage.location, entries: size }, 'the ledger is published again');
    stopped = undefined;
    failures = 0;
  };
  const look = async () => {
    const newest = (await latestCheckpoint(store))?.size ?? 0;
    if (published !== undefined && newest <= published && stopped === undefined) return;
    if (!isPrepared) await storage.prepare();
    isPrepared = true;
    await publishLedger(publisher, onStep);
  };
  const tell = async () => {
    if (published === undefined || !report) return;
    report({ entries: published, unpublished_since: (await signedAfter(store, published)) ?? null });
  };
  while (!signal.aborted) {
    try {
      await look();
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      const kind = error instanceof StorageError ? error.code : 'failed';
      if (kind !== stopped)
        log.error(
          { err: error, storage: storage.location },
          'the ledger is not published; it is tried again until that works, and nothing is lost meanwhile',
        );
      stopped = kind;
    }
    await tell().catch(() => undefined);
    // Not all publishers at once, so that most find done what another has done.
    await sleep(Math.min(LOOK_MS * 2 ** failures, LONGEST_PAUSE_MS) * (0.75 + Math.random() / 2), signal);
  }
}
