// Which version of the data answers are computed from: when it changes, cached answers are dropped.

import { readingAge } from '../../domain/report/reading-age.ts';
import { type HistoryProgress, historyNotBegun } from '../../domain/text/history-progress.ts';
import { SLOT, slotStart } from '../../domain/time/slot.ts';
import { noRevision, readRevision, upgradeFault } from '../../store/engine/revision.ts';
import { type Reader, StoreError } from '../../store/engine/store.ts';
import { readHistory } from '../../store/runtime/history.ts';

const POLL_MS = 500;
/** Time for a due reading to be written. */
const GRACE_MS = 5_000;
const MIN_AGE_SECONDS = 5;
const MAX_AGE_SECONDS = SLOT / 1000;
/** While the first history is written, every page says how far it is. */
const SECONDS_WHILE_WRITING = 1;

export interface DataVersion {
  /**
   * Changes with each quarter hour and with each committed write, except submissions. While readings are late it
   * changes every minute: pages state the age of the newest one.
   */
  version(now: number): string;
  /** Also changes with each submission: the version of answers that read the log. */
  logVersion(now: number): string;
  /** Seconds until the next reading is due, at most a slot. */
  maxAge(now: number): number;
  /** How far the first history is written; it changes only together with the version. */
  history(): HistoryProgress;
  /** The listener is called after each change of the revision, except submissions, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** The slot of the newest reading, as of the last poll that succeeded; null if there is none. */
  newestReading(): number | null;
  /** When the polls began to fail; null while the store answers, and where none is configured. */
  unreachableSince(): number | null;
  /** Set when a newer version has upgraded the store, as of the last poll that succeeded: what this process may still do. */
  upgrade(): 'upgraded' | 'unreadable' | undefined;
  /** Reads the revision now instead of at the next poll, for a process that has just written. */
  refresh(): Promise<void>;
  /** Gives a new version after an answer that lacks data, so that it is not cached, and reads the revision. */
  invalidate(): Promise<void>;
  stop(): void;
}

/**
 * Processes that share a store do not notify each other: each polls the store's revision twice a second. While the
 * store is unreachable every poll gives a new version, so that nothing stays cached. `onChange` completes before the
 * version changes, so no answer of the new version is computed from the state that `onChange` replaces.
 */
export async function watchDataVersion(
  store: Reader,
  onChange: () => Promise<void> = async () => undefined,
  now: () => number = Date.now,
): Promise<DataVersion> {
  let current = noRevision;
  let history = historyNotBegun;
  const listeners = new Set<() => void>();
  let failedPolls = 0;
  let unreachableSince: number | null = null;
  let invalidations = 0;
  const refresh = async () => {
    try {
      const next = await readRevision(store);
      const progress = history.finished ? history : await readHistory(store);
      if (next.revision !== current.revision || next.log_revision !== current.log_revision) await onChange();
      const changed = next.revision !== current.revision;
      current = next;
      history = progress;
      failedPolls = 0;
      if (changed) for (const listener of listeners) listener();
      unreachableSince = null;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'not_configured')
        history = { ...historyNotBegun, finished: true };
      else unreachableSince ??= now();
      failedPolls += 1;
    }
  };
  await refresh();
  const timer = setInterval(refresh, POLL_MS).unref();
  const version = (now: number) => {
    const polls = failedPolls ? `-${failedPolls}` : '';
    const age = current.slot === null ? undefined : readingAge(current.slot, now);
    const late = age?.late ? `+${age.minutes}` : '';
    return `${current.revision}-${slotStart(now) / SLOT}${late}${polls}${invalidations ? `.${invalidations}` : ''}`;
  };
  return {
    version,
    logVersion: (now) => `${version(now)}/${current.log_revision}`,
    history: () => history,
    newestReading: () => current.slot,
    unreachableSince: () => unreachableSince,
    upgrade: () => upgradeFault(current),
    maxAge: (now) => {
      if (!history.finished) return SECONDS_WHILE_WRITING;
      // What was answered without the store is worth asking for again soon.
      if (current.slot === null || failedPolls) return MIN_AGE_SECONDS;
      // A reading of the future, written under a fast clock, does not say when the next one is due.
      const due = Math.min(current.slot, slotStart(now)) + SLOT + GRACE_MS;
      const seconds = Math.round((due - now) / 1000);
      return Math.min(MAX_AGE_SECONDS, Math.max(MIN_AGE_SECONDS, seconds));
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh,
    invalidate: () => {
      invalidations += 1;
      return refresh();
    },
    stop: () => clearInterval(timer),
  };
}
