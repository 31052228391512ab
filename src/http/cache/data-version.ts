import { SLOT, slotOf } from '../../domain/time/sgt.ts';
import { type Revision, readRevision } from '../../store/engine/revision.ts';
import type { Reader } from '../../store/engine/store.ts';

const POLL_MS = 500;
/** Time for a due reading to be written. */
const GRACE_MS = 5_000;
const LEAST_SECONDS = 5;

/** Knows which version of the data answers are made from. */
export interface DataVersion {
  /** Changes whenever an answer may: with each write, and with each quarter hour. */
  version(now: number): string;
  /** Seconds until the next reading is due. */
  maxAge(now: number): number;
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
  let outage = 0;
  const refresh = async () => {
    try {
      const next = await readRevision(store);
      if (next.revision !== current.revision) await onChange();
      current = next;
      outage = 0;
    } catch {
      outage += 1;
    }
  };
  await refresh();
  const timer = setInterval(refresh, POLL_MS).unref();
  return {
    version: (now) => `${current.revision}-${slotOf(now) / SLOT}${outage ? `-${outage}` : ''}`,
    maxAge: (now) => {
      const due = current.slot === null ? now : current.slot + SLOT + GRACE_MS;
      return Math.max(LEAST_SECONDS, Math.round((due - now) / 1000));
    },
    refresh,
    stop: () => clearInterval(timer),
  };
}
