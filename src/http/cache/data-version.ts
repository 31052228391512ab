import { type HistoryProgress, historyNotBegun } from '../../domain/text/history-progress.ts';
import { SLOT, slotOf } from '../../domain/time/sgt.ts';
import { type Revision, readRevision } from '../../store/engine/revision.ts';
import { type Reader, StoreError } from '../../store/engine/store.ts';
import { readHistory } from '../../store/runtime/history.ts';

const POLL_MS = 500;
/** Time for a due reading to be written. */
const GRACE_MS = 5_000;
const LEAST_SECONDS = 5;
/** While the first history is written, every page says how far it is. */
const SECONDS_WHILE_WRITING = 1;

/** Knows which version of the data answers are made from. */
export interface DataVersion {
  /** Changes whenever an answer may: with each write, and with each quarter hour. */
  version(now: number): string;
  /** Seconds until the next reading is due. */
  maxAge(now: number): number;
  /** How far the first history is written; it changes only together with the version. */
  history(): HistoryProgress;
  /** Looks at once, for a process that has just written. */
  refresh(): Promise<void>;
  stop(): void;
}

/**
 * Processes that share a store tell each other nothing: each looks at the revision twice a second. While the store
 * cannot be asked, every look is a version of its own, so that no answer outlives it. `onChange` is through before the
 * version changes: no answer of the new version is made from what it replaces.
 */
export async function watchDataVersion(
  store: Reader,
  onChange: () => Promise<void> = async () => undefined,
): Promise<DataVersion> {
  let current: Revision = { revision: 0, slot: null };
  let history = historyNotBegun;
  let outage = 0;
  const refresh = async () => {
    try {
      const next = await readRevision(store);
      const progress = history.finished ? history : await readHistory(store);
      if (next.revision !== current.revision) await onChange();
      current = next;
      history = progress;
      outage = 0;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'not_configured')
        history = { ...historyNotBegun, finished: true };
      outage += 1;
    }
  };
  await refresh();
  const timer = setInterval(refresh, POLL_MS).unref();
  return {
    version: (now) => `${current.revision}-${slotOf(now) / SLOT}${outage ? `-${outage}` : ''}`,
    history: () => history,
    maxAge: (now) => {
      if (!history.finished) return SECONDS_WHILE_WRITING;
      const due = current.slot === null ? now : current.slot + SLOT + GRACE_MS;
      return Math.max(LEAST_SECONDS, Math.round((due - now) / 1000));
    },
    refresh,
    stop: () => clearInterval(timer),
  };
}
